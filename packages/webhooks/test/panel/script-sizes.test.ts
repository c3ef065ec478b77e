import { expect, it } from 'vitest';
import { type AdminPanel, createAdminPanel } from '../../src/panel/admin-panel.ts';
import { createPortal, type Portal } from '../../src/portal/portal.ts';

const ORIGIN = 'https://app.example.com';

/** The compressed bytes of each script that the list loads, by path. */
async function scriptSizes(panel: AdminPanel | Portal): Promise<Map<string, number>> {
  const page = await (await panel(new Request(ORIGIN + panel.basePath))).text();
  const scripts = [...page.matchAll(/(?:<script[^>]* src|<link rel="modulepreload" href)="([^"]+)"/g)];
  const sizes = new Map<string, number>();
  for (const [, path = ''] of scripts) {
    const answer = await panel(new Request(ORIGIN + path, { headers: { 'accept-encoding': 'br' } }));
    expect(answer.headers.get('content-encoding')).toBe('br');
    sizes.set(path, (await answer.arrayBuffer()).byteLength);
  }
  return sizes;
}

it.each([
  ['panel', panelIn()],
  ['portal', createPortal({ apiPath: '/api/webhooks' })],
])('the list of the %s loads at most 137 kB of script', async (_, pages) => {
  const sizes = [...(await scriptSizes(pages)).values()];
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(137_000);
});

it.each(['de', 'es', 'fr'])('a page in %s loads one script more, of at most 15 kB', async (language) => {
  const english = await scriptSizes(panelIn());
  const more = [...(await scriptSizes(panelIn(language)))].filter(([path]) => !english.has(path));
  expect(more.map(([path]) => path)).toEqual([expect.stringContaining(`/assets/${language}-`)]);
  expect(more[0]?.[1]).toBeLessThanOrEqual(15_000);
});

function panelIn(language?: string): AdminPanel {
  return createAdminPanel({ apiPath: '/api/admin/webhooks', language });
}

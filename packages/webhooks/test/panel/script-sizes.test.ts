import { expect, it } from 'vitest';
import { type AdminPanel, createAdminPanel } from '../../src/panel/admin-panel.ts';
import { createPortal, type Portal } from '../../src/portal/portal.ts';

const ORIGIN = 'https://app.example.com';

const SCRIPTS = /(?:<script[^>]* src|<link rel="modulepreload" href)="([^"]+)"/g;

/** The compressed bytes of each script, or of another kind of file, that the list loads, by path. */
async function sizesOf(panel: AdminPanel | Portal, files = SCRIPTS): Promise<Map<string, number>> {
  const page = await (await panel(new Request(ORIGIN + panel.basePath))).text();
  const sizes = new Map<string, number>();
  for (const [, path = ''] of page.matchAll(files)) {
    const answer = await panel(new Request(ORIGIN + path, { headers: { 'accept-encoding': 'br' } }));
    expect(answer.headers.get('content-encoding')).toBe('br');
    sizes.set(path, (await answer.arrayBuffer()).byteLength);
  }
  return sizes;
}

it.each([
  ['panel', panelIn()],
  ['portal', createPortal({ apiPath: '/api/webhooks' })],
])('the list of the %s loads at most 128 kB of script', async (_, pages) => {
  const sizes = [...(await sizesOf(pages)).values()];
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(128_000);
});

it('the list loads one icon and one stylesheet, of at most 19 kB', async () => {
  const sizes = [
    ...(await sizesOf(panelIn(), /<link rel="(?:stylesheet|icon)"[^>]* href="([^"]+)"/g)).values(),
  ];
  const [icon = 0, styles = 0] = sizes.sort((one, other) => one - other);
  expect(sizes).toHaveLength(2);
  expect(icon).toBeLessThanOrEqual(1_000);
  expect(styles).toBeLessThanOrEqual(19_000);
});

it.each(['de', 'es', 'fr'])('a page in %s loads one script more, of at most 15 kB', async (language) => {
  const english = await sizesOf(panelIn());
  const more = [...(await sizesOf(panelIn(language)))].filter(([path]) => !english.has(path));
  expect(more.map(([path]) => path)).toEqual([expect.stringContaining(`/assets/${language}-`)]);
  expect(more[0]?.[1]).toBeLessThanOrEqual(15_000);
});

function panelIn(language?: string): AdminPanel {
  return createAdminPanel({ apiPath: '/api/admin/webhooks', language });
}

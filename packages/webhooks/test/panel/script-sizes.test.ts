import { expect, it } from 'vitest';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';

const ORIGIN = 'https://admin.example.com';

it('the list loads at most 137 kB of script, compressed in a moment', async () => {
  const panel = createAdminPanel({ apiPath: '/api/admin/webhooks' });
  const page = await (await panel(new Request(`${ORIGIN}/admin/webhooks`))).text();
  const scripts = [...page.matchAll(/(?:<script[^>]* src|<link rel="modulepreload" href)="([^"]+)"/g)];
  let bytes = 0;
  const start = process.cpuUsage();
  for (const [, path = ''] of scripts) {
    const answer = await panel(new Request(ORIGIN + path, { headers: { 'accept-encoding': 'br' } }));
    expect(answer.headers.get('content-encoding')).toBe('br');
    bytes += (await answer.arrayBuffer()).byteLength;
  }
  expect(scripts.length).toBeGreaterThan(2);
  expect(bytes).toBeLessThanOrEqual(137_000);
  // Of the processor, whatever else the machine does; the highest quality takes two seconds.
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(500);
});

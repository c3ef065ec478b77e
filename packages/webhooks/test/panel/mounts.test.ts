import { describe, expect, it } from 'vitest';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import { BASE } from '../admin/admin-harness.ts';
import { HOSTS } from '../mount/hosts.ts';

// Where the hosts of the other tests expect a handler.
const panel = createAdminPanel({ basePath: BASE, apiPath: '/api/elsewhere' });

describe.each(HOSTS)('in $name', ({ name, serve }) => {
  it('the panel serves its pages and files, and leaves every other path to the host', async () => {
    const { send } = await serve(panel);
    const page = await send(`${BASE}/7`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(files.length).toBeGreaterThan(3);
    let characters = 0;
    for (const path of files) {
      const file = await send(path);
      expect(file.status).toBe(200);
      const { length } = await file.text();
      expect(length).toBeGreaterThan(0);
      characters += length;
    }
    expect(characters).toBeGreaterThan(400_000);
    expect((await send(`${BASE}/assets/none.js`)).status).toBe(404);
    expect((await send(BASE, { method: 'POST' })).status).toBe(405);
    const head = await send(BASE, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(await (await send(`${BASE}x`)).text(), name).toContain('the host');
  });
});

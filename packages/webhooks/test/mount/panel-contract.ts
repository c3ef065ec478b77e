import { expect, it } from 'vitest';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import { BASE } from '../admin/admin-harness.ts';
import type { Host } from './hosts.ts';

// Where the hosts of the other tests expect a handler.
const panel = createAdminPanel({ basePath: BASE, apiPath: '/api/elsewhere' });

/** What the panel's pages promise in every app. */
export function panelContract({ name, serve }: Host): void {
  it('the panel serves its pages and files, and leaves every other path to the host', async () => {
    const { fetch } = await serve(panel);
    const page = await fetch(`${BASE}/7`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(files.length).toBeGreaterThan(3);
    let characters = 0;
    for (const path of files) {
      const file = await fetch(path);
      expect(file.status).toBe(200);
      const { length } = await file.text();
      expect(length).toBeGreaterThan(0);
      characters += length;
    }
    expect(characters).toBeGreaterThan(400_000);
    expect((await fetch(`${BASE}/assets/none.js`)).status).toBe(404);
    expect((await fetch(BASE, { method: 'POST' })).status).toBe(405);
    const head = await fetch(BASE, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(await (await fetch(`${BASE}x`)).text(), name).toContain('the host');
  });
}

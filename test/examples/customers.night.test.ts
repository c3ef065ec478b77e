import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestReceiver, type TestReceiver } from '@acme/webhooks/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocksIn } from '../readme/markdown.ts';
import { repository } from '../structure/workspace-package.ts';
import { INSTALL_MS, type StartedExample, startExample } from './started-example.ts';

const GUIDE = join(repository, 'packages/webhooks/docs/customers.md');
/** What the guide says of one line, and not of the example. */
const REMOVAL = 'removeTenant';

describe('the example customers', () => {
  let example: StartedExample;
  let receiver: TestReceiver;
  beforeAll(async () => {
    receiver = await createTestReceiver();
    example = await startExample('customers');
  }, INSTALL_MS);
  afterAll(async () => {
    await receiver?.close();
    await example?.remove();
  });

  async function logIn(login: string): Promise<string> {
    const body = { login, password: example.password };
    const answer = await example.send('POST', '/api/login', { body });
    expect(answer.status).toBe(204);
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
  }

  it('shows each customer its own webhooks, the administrator all, and sends to one', async () => {
    const { send } = example;
    expect((await send('GET', '/api/webhooks')).status).toBe(401);
    const [ada, grace, admin] = [await logIn('ada'), await logIn('grace'), await logIn('admin')];
    const secrets: string[] = [];
    for (const [cookie, path] of [
      [ada, 'ada'],
      [grace, 'grace'],
    ] as const) {
      const body = { url: `${receiver.url}?of=${path}`, name: path };
      const created = await send('POST', '/api/webhooks', { cookie, body });
      expect(created.status).toBe(201);
      secrets.push(JSON.parse(await created.text()).secret);
    }
    const namesFor = async (cookie: string, path: string) =>
      JSON.parse(await (await send('GET', path, { cookie })).text()).webhooks.map(
        ({ name, tenant }: { name: string; tenant?: string }) => [name, tenant],
      );
    expect(await namesFor(ada, '/api/webhooks')).toEqual([['ada', undefined]]);
    expect(await namesFor(grace, '/api/webhooks')).toEqual([['grace', undefined]]);
    expect(await namesFor(admin, '/api/admin/webhooks')).toEqual([
      ['grace', 'globex'],
      ['ada', 'acme'],
    ]);
    expect((await send('GET', '/api/admin/webhooks', { cookie: ada })).status).toBe(403);
    expect((await send('GET', '/api/webhooks', { cookie: admin })).status).toBe(403);
    expect((await send('GET', '/api/webhooks/2', { cookie: ada })).status).toBe(404);
    expect((await send('GET', '/admin/webhooks', { cookie: admin })).status).toBe(200);

    expect((await send('POST', '/api/orders', { cookie: ada })).status).toBe(201);
    const [request] = await receiver.received(1);
    expect([request?.event, request?.data]).toEqual(['order.paid', { id: 7 }]);
    await request?.verify(secrets[0] ?? '');
    await example.end();
  });

  it('has the code of the guide', () => {
    const app = readFileSync(join(repository, 'examples/customers/app.mjs'), 'utf8').replaceAll(/\s+/g, ' ');
    const blocks = codeBlocksIn(readFileSync(GUIDE, 'utf8')).filter(({ language }) => language === 'js');
    const shown = blocks.filter(({ code }) => !code.includes(REMOVAL));
    expect(shown.length).toBeGreaterThan(3);
    for (const { code } of shown) expect(app).toContain(code.trim().replaceAll(/\s+/g, ' '));
  });
});

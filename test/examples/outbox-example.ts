import { createTestReceiver, type TestReceiver } from '@acme/webhooks/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSTGRES_URL, postgresSkipped, uniqueName } from '../services/servers.ts';
import { INSTALL_MS, type StartedExample, startExample } from './started-example.ts';

const skipped = await postgresSkipped();

/**
 * Tests an example that dispatches in a transaction of its own PostgreSQL database.
 *
 * @param check what else is true of it once it has delivered
 */
export function testOutboxExample(name: string, check: (example: StartedExample) => void = () => {}): void {
  describe.skipIf(skipped !== undefined)(`the example ${name}`, () => {
    const database = uniqueName('example');
    let example: StartedExample;
    let receiver: TestReceiver;
    beforeAll(async () => {
      await onServer(`create database ${database}`);
      receiver = await createTestReceiver();
      const url = new URL(POSTGRES_URL);
      url.pathname = database;
      example = await startExample(name, { DATABASE_URL: url.href });
    }, INSTALL_MS);
    afterAll(async () => {
      await receiver?.close();
      await example?.remove();
      await onServer(`drop database if exists ${database} with (force)`);
    });

    it('delivers what is committed and nothing else, and ends', async () => {
      const { send } = example;
      expect((await send('POST', '/api/admin/orders', { body: { item: 'tea' } })).status).toBe(401);
      const cookie = await example.logIn();
      const hook = { url: receiver.url, events: ['order.*'] };
      const created = await send('POST', '/api/admin/webhooks', { cookie, body: hook });
      const { secret }: { secret: string } = JSON.parse(await created.text());
      const order = async (item: string) =>
        (await send('POST', '/api/admin/orders', { cookie, body: { item } })).status;
      expect([await order('sold out'), await order('tea')]).toEqual([409, 201]);
      const [request] = await receiver.received(1);
      expect(request?.data).toMatchObject({ item: 'tea' });
      await request?.verify(secret);
      check(example);
      await example.end();
      expect(receiver.requests).toHaveLength(1);
    });
  });
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(POSTGRES_URL);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

import { describe, expect, test } from 'vitest';
import { verify } from '../../src/signing/verify.ts';
import { mysqlServer } from '../kysely/database-servers.ts';
import { useEngineHarness } from './engine-harness.ts';
import { ALL_STORAGES, onServer } from './storages.ts';

const MYSQL = ['latin1', 'utf8mb3']
  .map((characterSet) => mysqlServer(`in a database of ${characterSet}`, { characterSet }))
  .filter(({ skipped }) => skipped === undefined);

const TEXT = 'é 日本 😀 \u{20bb7} \u{e01ef}';

describe.each([...ALL_STORAGES, ...MYSQL.map(onServer)])('texts of every script on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  test('are signed, sent and kept as they were dispatched, and keys of one moment stay apart', async () => {
    const target = await harness.recipient((_, response) => response.end(TEXT));
    const { webhooks, ended } = harness.engine();
    await webhooks.start();
    const { id, secret } = await webhooks.create({ url: target.url, description: TEXT, events: ['*'] });
    const keys = ['日', '本', '語', '😀', '😁'];
    const receipts = await Promise.all(
      keys.map((idempotencyKey) =>
        webhooks.dispatch('order.created', { [TEXT]: `${TEXT} ${idempotencyKey}` }, { idempotencyKey }),
      ),
    );
    expect(receipts).toEqual(keys.map(() => ({ deliveries: 1, repeated: false })));
    await target.receivedCount(keys.length);
    const sent: unknown[] = [];
    for (const { headers, body } of target.received) sent.push(await verify({ secret, headers, body }));
    expect(sent).toEqual(
      expect.arrayContaining(
        keys.map((key) => expect.objectContaining({ data: { [TEXT]: `${TEXT} ${key}` } })),
      ),
    );
    for (const { headers } of target.received) {
      const delivery = await ended(id, String(headers['x-webhook-id']));
      expect(delivery).toMatchObject({ status: 'success', responseBody: TEXT });
      expect(delivery.attemptLog).toMatchObject([{ responseBody: TEXT }]);
    }
    expect((await webhooks.list({ search: TEXT })).total).toBe(1);
  });
});

import { Kysely } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import { openLink } from '../contract/severable-link.ts';
import { createTestEngine, type TestEngine } from '../engine/engine.ts';
import { type Recipient, startRecipient } from '../engine/recipient.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { dialectAt } from '../kysely/dialect-at.ts';

const DISPATCHES = 40;
/** The statement that makes it durable, in the protocol of either server. */
const WRITE = /insert into .webhook_deliveries/;
/** Not the end of an isolation level. */
const COMMIT = /[^a-z ]commit(?:\0|$)/;
const PORTS: Readonly<Record<string, number>> = { PostgreSQL: 5432, 'MySQL or MariaDB': 3306 };

const servers = databaseServers.filter(({ clock }) => clock === 'database');

describe.each(servers)('an engine whose connection to $name breaks', ({ name, skipped, create }) => {
  async function open() {
    const database = await create();
    onTestFinished(() => database.remove());
    await migrateWebhooks(database.open());
    const link = await openLink(database.url, PORTS[name] ?? 0);
    onTestFinished(() => link.cut());
    const db = new Kysely<unknown>({ dialect: dialectAt(link.url)({}) });
    onTestFinished(() => db.destroy());
    const recipient = await startRecipient();
    onTestFinished(() => recipient.close());
    const storage = kyselyStorage(db);
    const groups: number[] = [];
    const counted: typeof storage = {
      ...storage,
      recordDispatches(records, ...options) {
        groups.push(records.length);
        return storage.recordDispatches(records, ...options);
      },
    };
    const engine = createTestEngine(counted, { concurrency: 5 });
    onTestFinished(() => engine.webhooks.close());
    for (let i = 0; i < 2; i++) await engine.webhooks.create({ url: recipient.url, events: ['order.*'] });
    return { link, recipient, engine, groups };
  }

  /** The events that arrived, and for each under how many ids. */
  async function arrived({ engine, recipient }: { engine: TestEngine; recipient: Recipient }) {
    await engine.webhooks.start();
    await engine.webhooks.drain();
    const ids = new Map<number, Set<string>>();
    for (const { body, headers } of recipient.received) {
      const { data } = JSON.parse(body) as { data: { n: number } };
      const ofEvent = ids.get(data.n) ?? new Set();
      ids.set(data.n, ofEvent.add(String(headers['x-webhook-id'])));
    }
    return [...ids.values()].map(({ size }) => size);
  }

  test.skipIf(skipped).each([
    ['when the answer to a write comes', 'executed'],
    ['while a write is executed', 'sent'],
  ] as const)(
    '%s sends every event under one id to each webhook',
    async (_name, when) => {
      const harness = await open();
      harness.link.loseAnswers(WRITE, 1, when);
      const results = await Promise.all(
        Array.from({ length: DISPATCHES }, (_, n) => harness.engine.webhooks.dispatch('order.paid', { n })),
      );
      expect(harness.link.answersToLose()).toBe(0);
      expect(results).toEqual(results.map(() => ({ deliveries: 2, repeated: false })));
      // The whole group once more, and not each dispatch by itself.
      expect(harness.groups).toEqual([32, 32, 8]);
      expect(await arrived(harness)).toEqual(Array.from({ length: DISPATCHES }, () => 2));
    },
    60_000,
  );

  test.skipIf(skipped).each(['executed', 'sent'] as const)(
    'sends an event that was dispatched alone once, with a key and without one (%s)',
    async (when) => {
      const harness = await open();
      for (const [n, options] of [{}, { idempotencyKey: 'order-1' }].entries()) {
        const isKeyed = 'idempotencyKey' in options;
        harness.link.loseAnswers(isKeyed && name !== 'PostgreSQL' ? COMMIT : WRITE, 1, when);
        const result = await harness.engine.webhooks.dispatch('order.paid', { n }, options);
        expect([result, harness.link.answersToLose()]).toEqual([{ deliveries: 2, repeated: false }, 0]);
      }
      expect(harness.groups).toEqual([1, 1, 1, 1]);
      expect(await arrived(harness)).toEqual([2, 2]);
    },
    60_000,
  );

  test.skipIf(skipped).each(['executed', 'sent'] as const)(
    'tells those who bring keys the truth (%s)',
    async (when) => {
      const harness = await open();
      harness.link.loseAnswers(name === 'PostgreSQL' ? WRITE : COMMIT, 1, when);
      const dispatch = (n: number) =>
        harness.engine.webhooks.dispatch('order.paid', { n }, { idempotencyKey: `order-${n}` });
      const results = await Promise.all(Array.from({ length: DISPATCHES }, (_, n) => dispatch(n)));
      expect(harness.link.answersToLose()).toBe(0);
      expect(results).toEqual(results.map(() => ({ deliveries: 2, repeated: false })));
      expect(await dispatch(0)).toEqual({ deliveries: 0, repeated: true });
      expect(await arrived(harness)).toEqual(Array.from({ length: DISPATCHES }, () => 2));
    },
    60_000,
  );
});

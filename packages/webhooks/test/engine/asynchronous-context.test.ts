import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { kyselyStorage, migrateWebhooks } from '../../src/kysely/index.ts';
import type { DeliveryQueue } from '../../src/queue/queue.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import type { WebhooksOptions } from '../../src/webhooks-options.ts';
import { startRecipient } from './recipient.ts';

const REQUESTS = ['a', 'b', 'c', 'd'];

const request = new AsyncLocalStorage<string>();

/** An engine on SQLite, and the requests in whose asynchronous contexts it called the host. */
async function observedEngine(options: Pick<WebhooksOptions, 'queue'> = {}) {
  const seen = {
    hooks: new Map<string, string | undefined>(),
    logs: new Set<string | undefined>(),
    statements: new Set<string | undefined>(),
    traces: new Set<string | undefined>(),
    errors: [] as (string | undefined)[],
  };
  const database = sqliteFile();
  const db = database.open<unknown>({ log: () => void seen.statements.add(request.getStore()) });
  await migrateWebhooks(db);
  const log = () => void seen.logs.add(request.getStore());
  // A recipient that takes a while: the engine is busy while other requests dispatch.
  const recipient = await startRecipient(
    (_, response) => void setTimeout(() => response.writeHead(500).end(), 20),
  );
  const webhooks = createWebhooks({
    ...options,
    storage: kyselyStorage(db),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    retry: { maxAttempts: 1 },
    logger: { debug: log, info: log, warn: log, error: log },
    traceparent: () => void seen.traces.add(request.getStore()),
    onDeliveryFailed: ({ event }) => void seen.hooks.set(event, request.getStore()),
    onError: () => void seen.errors.push(request.getStore()),
  });
  const close = async () => {
    await webhooks.close();
    await recipient.close();
    await database.remove();
  };
  return { webhooks, seen, url: recipient.url, db, close };
}

/** A queue of the host's that polls in the call that enqueues. */
function pollingQueue(): DeliveryQueue {
  let poll = async () => {};
  return {
    async enqueue() {
      await poll();
    },
    async start(workersPoll) {
      poll = workersPoll;
    },
    async stop() {},
  };
}

test.each([
  ['the default queue', {}],
  ['a queue that polls at once', { queue: pollingQueue() }],
])('deliveries belong to the asynchronous context of no request, with %s', async (_, options) => {
  // Also an engine that is created in a request, as a framework may do with the first one.
  const { webhooks, seen, url, close } = await request.run('creator', () => observedEngine(options));
  await webhooks.start();
  await webhooks.create({ url });
  seen.statements.clear();
  await Promise.all(
    REQUESTS.map((name) =>
      request.run(name, async () => {
        for (let n = 0; n < 3; n++) await webhooks.dispatch(`${name}.${n}`, {});
      }),
    ),
  );
  await webhooks.drain();
  const failures = REQUESTS.flatMap((name) => [0, 1, 2].map((n) => [`${name}.${n}`, undefined] as const));
  expect(new Map([...seen.hooks].sort())).toEqual(new Map(failures));
  expect([...seen.logs]).toEqual([undefined]);
  expect([...seen.traces]).toEqual([undefined]);
  // Dispatches of several requests are written together.
  expect([...seen.statements]).toEqual([undefined]);
  await close();
});

test('a refused dispatch is reported in the asynchronous context of its request', async () => {
  const { webhooks, seen, close } = await observedEngine();
  for (const name of REQUESTS) request.run(name, () => void webhooks.dispatch(`not an event ${name}`, {}));
  await webhooks.close();
  expect(seen.errors).toEqual(REQUESTS);
  await close();
});

test('health, which several requests ask for at once, is read in the asynchronous context of none', async () => {
  const { webhooks, seen, close } = await observedEngine();
  seen.statements.clear();
  await Promise.all(REQUESTS.map((name) => request.run(name, () => webhooks.health())));
  expect([...seen.statements]).toEqual([undefined]);
  await close();
});

test('a dispatch in a transaction of a request is written in its asynchronous context', async () => {
  const { webhooks, seen, url, db, close } = await observedEngine();
  await webhooks.create({ url });
  seen.statements.clear();
  await request.run('a', () =>
    db.transaction().execute(async (transaction) => {
      await webhooks.dispatch('a.happened', {}, { transaction });
    }),
  );
  // What the storage asks once for itself belongs to none.
  expect([...seen.statements].filter((of) => of !== undefined)).toEqual(['a']);
  await close();
});

import { createWebhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import type { WebhookStorage } from '@acme/webhooks/storage';
import { createTestReceiver, type TestReceiver } from '@acme/webhooks/testing';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../app/database.ts';
import { type ShopWebhooks, shopEvents } from '../app/events.ts';
import { DEMO_HOOK } from './recipient-client.ts';
import { hookPath, SHOWN_RECIPIENTS } from './show/shown-recipients.ts';

/** The customer of the demo has the first uid. */
const CUSTOMER_UID = '1';
const HOUR_MS = 3_600_000;
const ATTEMPTS = 4;

/** An order of the past, and how often the recipient refused its webhook. */
interface PastOrder {
  readonly item: string;
  readonly quantity: number;
  readonly hoursAgo: number;
  readonly refusals: number;
}

/** From the oldest to the newest. Each begins after the last attempt of the one before. */
const PAST_ORDERS: readonly PastOrder[] = [
  { item: 'Desk', quantity: 1, hoursAgo: 22, refusals: 0 },
  { item: 'Chair', quantity: 4, hoursAgo: 19, refusals: 0 },
  { item: 'Bookshelf', quantity: 1, hoursAgo: 16, refusals: 1 },
  { item: 'Lamp', quantity: 2, hoursAgo: 13, refusals: 0 },
  { item: 'Carpet', quantity: 1, hoursAgo: 10, refusals: 0 },
  { item: 'Sofa', quantity: 1, hoursAgo: 7, refusals: ATTEMPTS },
  { item: 'Mirror', quantity: 1, hoursAgo: 3, refusals: 0 },
];
const LAST_ORDER = { item: 'Plant', quantity: 3 };

/**
 * Sees that each recipient has a webhook. A new one of the first gets a history of a day: the
 * engine itself makes it, with a clock of the past and a recipient that follows a script. One more
 * order stays due, so that it is delivered as soon as the worker starts.
 *
 * @returns a new secret of each webhook by its hook, for the recipients, which keep none
 */
export async function seedWebhooks(
  db: Kysely<Tables>,
  recipientUrl: string,
): Promise<ReadonlyMap<string, string>> {
  const storage = kyselyStorage(db);
  const registry = createWebhooks({ storage, events: shopEvents, egress: LOOPBACK });
  const secrets = new Map<string, string>();
  try {
    for (const { hook, name } of SHOWN_RECIPIENTS) {
      const url = recipientUrl + hookPath(hook);
      const { webhooks } = await registry.list({ search: hookPath(hook), sort: 'id', order: 'asc' });
      // The port may be another one this time.
      const known = webhooks.find((webhook) => webhook.name === name && webhook.url.endsWith(hookPath(hook)));
      if (known !== undefined) {
        await registry.update(known.id, { url });
        secrets.set(hook, (await registry.rotateSecret(known.id)).secret);
      } else if (hook === DEMO_HOOK) {
        const { id, secret } = await seedHistory(db, storage, name);
        // From here on, the webhook reaches the recipient of the demo. Nothing delivers yet.
        await registry.update(id, { url });
        await placeOrder(db, registry, LAST_ORDER, Date.now());
        secrets.set(hook, secret);
      } else {
        secrets.set(hook, (await registry.create({ url, name, events: ['order.*'] })).secret);
      }
    }
    return secrets;
  } finally {
    await registry.close();
  }
}

/** For the demo only, as in the app. */
const LOOPBACK = { allowedAddresses: ['127.0.0.1/32'] };

async function seedHistory(
  db: Kysely<Tables>,
  storage: WebhookStorage<Transaction<Tables>>,
  name: string,
): Promise<{ readonly id: number; readonly secret: string }> {
  const startedAt = Date.now();
  const clock = createPastClock(24 * HOUR_MS);
  const receiver = await createTestReceiver();
  const past = createWebhooks({
    storage,
    events: shopEvents,
    egress: LOOPBACK,
    clock: clock.now,
    schedulePurge: false,
  });
  try {
    await past.start();
    const created = await past.create({
      url: receiver.url,
      name,
      events: ['order.*'],
    });
    for (const order of PAST_ORDERS) {
      clock.advanceTo(startedAt - order.hoursAgo * HOUR_MS);
      await placeOrder(db, past, order, clock.now());
      await deliver(past, receiver, order, clock);
    }
    return created;
  } finally {
    await past.close();
    await receiver.close();
  }
}

async function placeOrder(
  db: Kysely<Tables>,
  webhooks: ShopWebhooks,
  { item, quantity }: Pick<PastOrder, 'item' | 'quantity'>,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const created_at = new Date(now).toISOString();
    const order = await transaction
      .insertInto('orders')
      .values({ uid: CUSTOMER_UID, item, quantity, created_at })
      .returningAll()
      .executeTakeFirstOrThrow();
    await webhooks.dispatch('order.created', order, { transaction });
  });
}

/** Makes all attempts of the order's delivery, as if the waits between them had passed. */
async function deliver(
  webhooks: ShopWebhooks,
  receiver: TestReceiver,
  { refusals }: PastOrder,
  clock: PastClock,
): Promise<void> {
  if (refusals > 0) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ error: 'The warehouse is closed for maintenance.' });
    receiver.respond({ status: 503, headers, body }).times(refusals);
  }
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await webhooks.drain();
    const { deliveries } = await webhooks.searchDeliveries({ status: 'pending', limit: 1 });
    const dueAt = deliveries[0]?.nextAttemptAt;
    if (!dueAt) return;
    clock.advanceTo(Date.parse(dueAt));
  }
}

/** A clock that runs as fast as the real one, some time behind it. */
interface PastClock {
  now(): number;
  /** Skips the time until then. Never goes back. */
  advanceTo(epochMs: number): void;
}

function createPastClock(behindMs: number): PastClock {
  let behind = behindMs;
  return {
    now: () => Date.now() - behind,
    advanceTo(epochMs) {
      behind = Math.min(behind, Math.max(0, Date.now() - epochMs));
    },
  };
}

import { type Breaks, breaking } from '../../../../../test/contract/breaking.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import type {
  AttemptReceipt,
  DispatchReceipt,
  DispatchRecord,
} from '../../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';

const { ask, answer } = breaking<WebhookStorage>();

/** What breaks the promises of claims, results, dispatches and the history of deliveries. */
export const brokenRecords: Breaks<WebhookStorage> = {
  'keeps a claimed delivery from others': ask('claimDueDeliveries', (request) => ({
    ...request,
    leaseMs: 1,
  })),
  'never hands out one delivery twice': (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries({ ...request, leaseMs: 0 });
      await Promise.resolve();
      return claims;
    },
  }),
  'by id, no more than asked for': ask('claimDueDeliveries', (request) => ({
    ...request,
    choose: chooseEvenly(request.limit + 1),
  })),
  'hands out the longest due first': answer('claimDueDeliveries', (given) => given.reverse()),
  'lets a lease end, and a delivery fall due': ask('claimDueDeliveries', (request) => ({
    ...request,
    now: request.now + 30,
  })),
  'then names the lost attempt': answer('claimDueDeliveries', (all) =>
    all.map((claim) => ({ ...claim, lostAttempt: null })),
  ),
  'counts lost attempts up to the maximum': ask('claimDueDeliveries', (request) => ({
    ...request,
    maxAttempts: 1_000,
  })),
  'discards the late result': (sound) => {
    const tokens = new Map<number, string>();
    return {
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        for (const { id, claimToken } of claims) tokens.set(id, claimToken);
        return claims;
      },
      recordAttempts: (records, rules) =>
        sound.recordAttempts(
          records.map((one) => ({ ...one, claimToken: tokens.get(one.id) ?? '' })),
          rules,
        ),
    };
  },
  'says that it is gone': answer('recordAttempts', (all) =>
    all.map((receipt) => (receipt === 'gone' ? 'late' : receipt)),
  ),
  'accepts a result after the lease': (sound) => {
    const leases = new Map<string, number>();
    return {
      async claimDueDeliveries(request) {
        leases.set(request.claimToken, request.now + request.leaseMs);
        return sound.claimDueDeliveries(request);
      },
      recordAttempts: (records, rules) =>
        sound.recordAttempts(
          records.map((one) =>
            (leases.get(one.claimToken) ?? 0) > one.now ? one : { ...one, claimToken: 'expired' },
          ),
          rules,
        ),
    };
  },
  'answers a mixed group in its order': answer('recordAttempts', (given) => given.toReversed()),
  'and the whole log': ask('recordAttempts', (all) => all.map((one) => ({ ...one, attemptLog: [] }))),
  'hands it out again when it is due': ask('recordAttempts', (all) =>
    all.map((one) => ({ ...one, retryInMs: 0 })),
  ),
  'records a group as a whole': (sound) => ({
    async recordAttempts(records, rules) {
      const receipts: AttemptReceipt[] = [];
      for (const one of records) receipts.push(...(await sound.recordAttempts([one], rules)));
      return receipts;
    },
  }),
  'writes a group as a whole': (sound) => ({
    async recordDispatches(dispatches) {
      const receipts: DispatchReceipt[] = [];
      for (const one of dispatches) receipts.push(...(await sound.recordDispatches([one])));
      return receipts;
    },
  }),
  'answers receipts in the order': answer('recordDispatches', (given) => given.reverse()),
  'writes nothing for a key seen before': ask('recordDispatches', (all) =>
    all.map(({ idempotencyKey: _, ...rest }) => rest),
  ),
  'keeps payloads exactly': ask('recordDispatches', (all) =>
    all.map((one) => ({ ...one, payload: JSON.stringify(JSON.parse(one.payload)) })),
  ),
  'finds a delivery under its own webhook': (sound) => ({
    findDeliveries({ webhookId, ...search }) {
      const isOne = search.deliveryId !== undefined;
      return sound.findDeliveries(isOne || webhookId === undefined ? search : { webhookId, ...search });
    },
  }),
  'with its payload': ask('findDeliveries', ({ withContent: _, ...search }) => search),
  'once from page to page': ask('findDeliveries', ({ before, ...search }) => ({
    ...search,
    ...(before && { before: { ...before, id: before.id + 1 } }),
  })),
  'a dispatch to one webhook too': ask('recordDispatches', (all) =>
    all.map(({ idempotencyKey, ...one }) =>
      'webhookId' in one.target || idempotencyKey === undefined ? one : { ...one, idempotencyKey },
    ),
  ),
  'newest first': answer('findDeliveries', (page, search) =>
    search.webhookId === undefined ? page : { ...page, deliveries: page.deliveries.toReversed() },
  ),
  'finds deliveries by status': ask('findDeliveries', ({ status: _, ...search }) => search),
  'counts deliveries by status': answer('readOverview', (all) =>
    all.map(({ counts, ...overview }) => ({
      ...overview,
      ...(counts && { counts: { ...counts, pending: 0, failed: counts.failed + counts.pending } }),
    })),
  ),
  'ends pending deliveries first': answer('purgeDeliveries', (given) => ({ ...given, expired: [] })),
  'nothing younger': ask('purgeDeliveries', (purge) =>
    'createdBefore' in purge ? { ...purge, createdBefore: `${purge.createdBefore}!` } : purge,
  ),
  'leaves idempotency keys alone': (sound) => ({
    async purgeDeliveries(request) {
      if ('createdBefore' in request) await sound.purgeIdempotencyKeys(request);
      return sound.purgeDeliveries(request);
    },
  }),
  'keeps younger ones': ask('purgeIdempotencyKeys', ({ limit }) => ({ createdBefore: '9', limit })),
  'at most the limit, and keeps younger ones': ask('purgeIdempotencyKeys', (request) => ({
    ...request,
    limit: 10_000,
  })),
  'before so many hours with claims': ask('purgeDeliveries', (purge) =>
    'dueForHours' in purge ? { ...purge, dueForHours: purge.dueForHours + 1 } : purge,
  ),
  'for hours without a claim': ask('purgeDeliveries', (purge) =>
    'dueForHours' in purge ? { ...purge, dueForHours: 1 } : purge,
  ),
  'what was due first before the rest': answer('purgeDeliveries', ({ expired, ...given }) => ({
    ...given,
    expired: expired.toReversed(),
  })),
  'nothing that only waited for a worker': ask('createWebhook', (webhook) => ({
    ...webhook,
    maxPerMinute: 1,
  })),
  'for a recipient that fails or is busy': ask('recordAttempts', (all) =>
    all.map(({ deferral: _, ...one }) => ({ ...one, activation: 0 })),
  ),
  'in the first hour in which deliveries are claimed': ask('purgeDeliveries', ({ now, limit }) => ({
    createdBefore: '9',
    now,
    limit,
  })),
  'keeps what a step of backlogs returns': (sound) => ({
    stepBacklogs: async (step) => (await sound.stepBacklogs?.((kept) => step(kept)?.slice(0, 10_000))) ?? '',
  }),
  'passes each step of backlogs': (sound) => ({
    async stepBacklogs(step) {
      const next = step((await sound.stepBacklogs?.(() => undefined)) ?? '');
      return (await sound.stepBacklogs?.(() => next)) ?? '';
    },
  }),
  'removes at most the limit': ask('purgeDeliveries', (request) => ({ ...request, limit: 10_000 })),
  'counted where all of it fits': ask('claimDueDeliveries', (request) => ({
    ...request,
    choose: (waiting) => request.choose(waiting.map((one) => ({ ...one, due: Number.POSITIVE_INFINITY }))),
  })),
  'and then to each': (sound) => {
    const given = new Set<number>();
    return {
      claimDueDeliveries: (request) =>
        sound.claimDueDeliveries({
          ...request,
          choose(waiting) {
            const unseen = waiting.filter(({ webhookId }) => !given.has(webhookId));
            const some = waiting.length > 10 && unseen.length > 0 ? unseen : waiting.slice(0, 10);
            for (const { webhookId } of some) given.add(webhookId);
            return request.choose(some);
          },
        }),
    };
  },
  'past thousands of older ones': ask('claimDueDeliveries', (request) => ({
    ...request,
    choose: (waiting) => request.choose(waiting.slice(0, 1)),
  })),
  'a first attempt before a retry': ask('recordAttempts', (all) =>
    all.map((one) => ({ ...one, retryInMs: one.retryInMs - 60_000 })),
  ),
  'a retry before a first attempt': answer('claimDueDeliveries', (claims) =>
    claims.toSorted((a, b) => Number(a.seriesAttempt > 1) - Number(b.seriesAttempt > 1)),
  ),
  'a lost worker had leased': answer('dueSummary', ({ oldestDueMs, ...summary }) => ({
    ...summary,
    oldestDueMs: oldestDueMs && oldestDueMs - 60_000,
  })),
  'how many are, up to the limit': ask('dueSummary', (request) => ({ ...request, limit: 100_000 })),
  'does not count a deferred': ask('recordAttempts', (records) =>
    records.map(({ deferral: _, ...one }) => one),
  ),
  'until the end, and of no other': ask('recordAttempts', (records) =>
    records.map(({ deferral, ...one }) => ({
      ...one,
      ...(deferral && { deferral: { ...deferral, pauseMs: 0 } }),
    })),
  ),
  'ends a pause with the activation': answer('readOverview', (all) =>
    all.map((one) => ({ ...one, pausedUntil: '2100-01-01T00:00:00.000Z' })),
  ),
  'by a result that comes late': answer('recordAttempts', (all) =>
    all.map((receipt) => (receipt === 'late' ? 'recorded' : receipt)),
  ),
  'writes nothing for a retry': ask('recordDispatches', (all) => all.map(unnamed)),
  'another dispatch brought it': answer('recordDispatches', (receipts, dispatches) =>
    receipts.map((receipt, i) =>
      dispatches[i]?.isRetry === true ? { ...receipt, outcome: 'written' } : receipt,
    ),
  ),
  'keeps payloads of one group': ask('recordDispatches', (all) =>
    all.map((one) => (all.length === 1 ? one : { ...one, payload: latin1(one.payload) })),
  ),
  'keeps the payload and event of a dispatch to many': ask('recordDispatches', (all) =>
    all.map((one) => ({ ...one, event: latin1(one.event) })),
  ),
  'keeps the results of one group': ask('recordAttempts', (all) =>
    all.map((one) => ({ ...one, responseBody: latin1(one.responseBody) })),
  ),
  'keeps what a webhook says of itself': ask('createWebhook', (webhook) => ({
    ...webhook,
    secret: latin1(webhook.secret),
  })),
};

/** A dispatch that nobody recognises. */
export function unnamed({ id: _, isRetry: __, ...dispatch }: DispatchRecord): DispatchRecord {
  return dispatch;
}

/** What a column of latin1 keeps of a text. */
function latin1(text: string): string {
  return text.replace(/[^\0-\xff]/gu, '?');
}

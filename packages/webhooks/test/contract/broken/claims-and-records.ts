import { type Breaks, breaking } from '../../../../../test/contract/breaking.ts';
import { chooseEvenly } from '../../../contract/storage/choose-evenly.ts';
import type { DispatchRecord } from '../../../src/storage/delivery-requests.ts';
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
  'answers receipts in the order': answer('recordDispatches', (given) => given.reverse()),
  'writes nothing for a key seen before': ask('recordDispatches', (all) =>
    all.map(({ idempotencyKey: _, ...rest }) => rest),
  ),
  'keeps payloads exactly': ask('recordDispatches', (all) =>
    all.map((one) => ({ ...one, payload: JSON.stringify(JSON.parse(one.payload)) })),
  ),
  'with its payload': ask('findDeliveries', ({ withContent: _, ...search }) => search),
  'newest first': answer('findDeliveries', (page, search) =>
    search.webhookId === undefined ? page : { ...page, deliveries: page.deliveries.toReversed() },
  ),
  'finds deliveries by status': ask('findDeliveries', ({ status: _, ...search }) => search),
  'ends pending deliveries first': answer('purgeDeliveries', (given) => ({ ...given, expired: [] })),
  'nothing younger': ask('purgeDeliveries', (purge) =>
    'createdBefore' in purge ? { ...purge, createdBefore: `${purge.createdBefore}!` } : purge,
  ),
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
  'past thousands of older ones': ask('claimDueDeliveries', (request) => ({
    ...request,
    choose: (waiting) => request.choose(waiting.slice(0, 1)),
  })),
  'a first attempt before a retry': ask('recordAttempts', (all) =>
    all.map((one) => ({ ...one, retryInMs: one.retryInMs - 60_000 })),
  ),
  'ends a pause with the activation': answer('readOverview', (all) =>
    all.map((one) => ({ ...one, pausedUntil: '2100-01-01T00:00:00.000Z' })),
  ),
  'writes nothing for a retry': ask('recordDispatches', (all) => all.map(unnamed)),
  'keeps payloads of one group': ask('recordDispatches', (all) =>
    all.map((one) => (all.length === 1 ? one : { ...one, payload: latin1(one.payload) })),
  ),
};

/** A dispatch that nobody recognises. */
export function unnamed({ id: _, isRetry: __, ...dispatch }: DispatchRecord): DispatchRecord {
  return dispatch;
}

/** What a column of latin1 keeps of a text. */
function latin1(text: string): string {
  return text.replace(/[^\0-\xff]/gu, '?');
}

import { setImmediate } from 'node:timers/promises';
import { isTestDelivery } from '../../../src/test-deliveries.ts';
import { chooseEvenly } from '../../../src/testing/storage-contract/choose-evenly.ts';
import { type BrokenStorage, broken, historyOf, reopenEach, reopening } from './broken-storage.ts';

/** Storages that begin new series of attempts wrongly. */
export const brokenReopenings: readonly BrokenStorage[] = [
  broken('reopens what has not ended', 'nothing that has not ended', (sound) =>
    reopening(sound, {
      async one(_, request) {
        const { outcome, ...receipt } = await sound.reopenDeliveries(request);
        return { ...receipt, outcome: outcome === 'pending' ? 'reopened' : outcome };
      },
    }),
  ),
  broken("reopens another webhook's delivery", 'nothing of another webhook', (sound) =>
    reopening(sound, {
      async one({ webhookId, deliveryId }, request) {
        const receipt = await sound.reopenDeliveries(request);
        if (receipt.outcome !== 'none') return receipt;
        const target = { webhookId: webhookId - 1, deliveryId };
        return sound.reopenDeliveries({ ...request, target });
      },
    }),
  ),
  broken('reopens by reading first and writing later', 'once for many that ask at once', (sound) =>
    reopening(sound, {
      async one({ webhookId, deliveryId }, request) {
        const found = (await historyOf(sound, webhookId)).find((row) => row.deliveryId === deliveryId);
        await setImmediate();
        const receipt = await sound.reopenDeliveries(request);
        return found?.status === 'pending' ? receipt : { ...receipt, outcome: 'reopened' };
      },
    }),
  ),
  broken('reopens and has it wait', 'has ended, due now', (sound) =>
    reopening(sound, {
      one: (_, request) => sound.reopenDeliveries({ ...request, now: request.now + 30_000 }),
    }),
  ),
  broken('counts the attempts of a new series from one', 'changes nothing else of it', (sound) => {
    const series = new Map<string, number>();
    return {
      ...reopening(sound, {
        async one({ webhookId, deliveryId }, request) {
          const found = (await historyOf(sound, webhookId)).find((row) => row.deliveryId === deliveryId);
          series.set(deliveryId, found?.attempts ?? 0);
          return sound.reopenDeliveries(request);
        },
      }),
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        return claims.map((one) => ({ ...one, attempt: one.attempt - (series.get(one.deliveryId) ?? 0) }));
      },
    };
  }),
  broken('gives a new series no attempts of its own', 'as many attempts as a new one', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries(request);
      return claims.map((one) => ({ ...one, seriesAttempt: one.attempt }));
    },
  })),
  broken('forgets the log of the series before', 'changes nothing else of it', (sound) => {
    const reopened = new Set<string>();
    return {
      ...reopening(sound, {
        one({ deliveryId }, request) {
          reopened.add(deliveryId);
          return sound.reopenDeliveries(request);
        },
      }),
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        return claims.map((one) => (reopened.has(one.deliveryId) ? { ...one, attemptLog: [] } : one));
      },
    };
  }),
  broken('lets the purge miss what was reopened meanwhile', 'reports as expired', (sound) => {
    const reopened = new Set<string>();
    return {
      ...reopening(sound, {
        one({ deliveryId }, request) {
          reopened.add(deliveryId);
          return sound.reopenDeliveries(request);
        },
      }),
      async purgeDeliveries(request) {
        const { removed, expired } = await sound.purgeDeliveries(request);
        return { removed, expired: expired.filter(({ deliveryId }) => !reopened.has(deliveryId)) };
      },
    };
  }),
  broken('answers before the result is in that it read', 'before or after a result', (sound) => ({
    async recordAttempts(records) {
      const accepted = await sound.recordAttempts(records);
      // A second write that takes the series that began in between for its own.
      for (const { id, status } of records) {
        const webhookId = 1;
        const row = (await historyOf(sound, webhookId)).find((one) => one.id === id);
        if (status === 'pending' || row?.status !== 'pending') continue;
        const [claim] = await sound.claimDueDeliveries({
          now: Number.MAX_SAFE_INTEGER / 4,
          limit: 1,
          leaseMs: 1_000,
          maxAttempts: 20,
          claimToken: 'x',
          isFromStart: true,
          choose: chooseEvenly(1, 1_000),
        });
        if (claim === undefined) continue;
        const result = records.find((one) => one.id === claim.id);
        if (result) await sound.recordAttempts([{ ...result, claimToken: 'x' }]);
      }
      return accepted;
    },
  })),
  broken('recovers inactive webhooks', 'of active webhooks alone', (sound) =>
    reopening(sound, {
      async failed({ webhookId }, request) {
        const receipt = await sound.reopenDeliveries(request);
        if (webhookId === undefined || receipt.count > 0 || request.dryRun) return receipt;
        return reopenEach(sound, await historyOf(sound, webhookId, 'failed'), request.now);
      },
    }),
  ),
  broken('recovers every webhook where one was meant', 'those of one or of all', (sound) =>
    reopening(sound, {
      failed: ({ webhookId, ...others }, request) =>
        sound.reopenDeliveries(request.dryRun ? request : { ...request, target: others }),
    }),
  ),
  broken('counts the failed of inactive webhooks', 'of active webhooks alone', (sound) =>
    reopening(sound, {
      async failed({ webhookId }, request) {
        const receipt = await sound.reopenDeliveries(request);
        if (webhookId === undefined || !request.dryRun) return receipt;
        return { ...receipt, count: (await historyOf(sound, webhookId, 'failed')).length };
      },
    }),
  ),
  broken('recovers tests', 'no test of an administrator', (sound) =>
    reopening(sound, {
      async failed(_, request) {
        if (request.dryRun) return sound.reopenDeliveries(request);
        const failed = await historyOf(sound, 1, 'failed');
        const { deliveries } = await sound.reopenDeliveries(request);
        const tests = failed.filter(({ deliveryId }) => isTestDelivery(deliveryId));
        const receipt = await reopenEach(sound, tests, request.now);
        const all = [...deliveries, ...receipt.deliveries];
        return { outcome: 'reopened', deliveries: all, count: all.length };
      },
    }),
  ),
  broken('counts the failed tests', 'no test of an administrator', (sound) =>
    reopening(sound, {
      async failed(_, request) {
        const receipt = await sound.reopenDeliveries(request);
        if (!request.dryRun) return receipt;
        const failed = await historyOf(sound, 1, 'failed');
        const tests = failed.filter(({ deliveryId }) => isTestDelivery(deliveryId));
        return { ...receipt, count: receipt.count + tests.length };
      },
    }),
  ),
  broken('counts at most the limit', 'counts and reopens the failed created', (sound) =>
    reopening(sound, {
      async failed(_, request) {
        const receipt = await sound.reopenDeliveries(request);
        return { ...receipt, count: Math.min(receipt.count, request.limit) };
      },
    }),
  ),
  broken('reopens what it should only count', 'counts and reopens the failed created', (sound) =>
    reopening(sound, {
      async failed(_, { dryRun, ...request }) {
        if (!dryRun) return sound.reopenDeliveries(request);
        const { count } = await sound.reopenDeliveries({ ...request, limit: 1_000 });
        return { outcome: 'none', deliveries: [], count };
      },
    }),
  ),
  broken('recovers beyond the limit', 'asked for, at most the limit', (sound) =>
    reopening(sound, { failed: (_, request) => sound.reopenDeliveries({ ...request, limit: 1_000 }) }),
  ),
  broken('recovers what was created before the time asked for', 'none created before', (sound) =>
    reopening(sound, {
      failed: (query, request) =>
        sound.reopenDeliveries(
          request.dryRun ? request : { ...request, target: { ...query, createdSince: '' } },
        ),
    }),
  ),
  broken('counts failed deliveries of any age', 'none created before', (sound) =>
    reopening(sound, {
      failed: (query, request) =>
        sound.reopenDeliveries(
          request.dryRun ? { ...request, target: { ...query, createdSince: '' } } : request,
        ),
    }),
  ),
  broken('recovers the newest first', 'the oldest failed first', (sound) =>
    reopening(sound, {
      async failed({ createdSince }, request) {
        if (request.dryRun) return sound.reopenDeliveries(request);
        const all = await historyOf(sound, 1, 'failed');
        const newest = all.filter(({ createdAt }) => createdAt >= createdSince).slice(0, request.limit);
        return reopenEach(sound, newest, request.now);
      },
    }),
  ),
  broken("recovers one webhook's newest first", "one webhook's oldest failed first", (sound) =>
    reopening(sound, {
      async failed({ webhookId, createdSince }, request) {
        if (webhookId === undefined || request.dryRun) return sound.reopenDeliveries(request);
        const failed = await historyOf(sound, webhookId, 'failed');
        const newest = failed.filter(({ createdAt }) => createdAt >= createdSince).slice(0, request.limit);
        return reopenEach(sound, newest, request.now);
      },
    }),
  ),
  broken('recovers to the front of the line', 'before what was recovered', (sound) =>
    reopening(sound, {
      async failed({ createdSince }, request) {
        if (request.dryRun) return sound.reopenDeliveries(request);
        const failed = await historyOf(sound, 1, 'failed');
        const taken = failed.filter(({ createdAt }) => createdAt >= createdSince).reverse();
        return reopenEach(sound, taken, request.now);
      },
    }),
  ),
  broken('answers what it recovers newest first', 'the oldest failed first', (sound) =>
    reopening(sound, {
      async failed(_, request) {
        const { deliveries, ...receipt } = await sound.reopenDeliveries(request);
        return { ...receipt, deliveries: deliveries.toReversed() };
      },
    }),
  ),
  broken('recovers from the oldest on whatever the place', 'those that fail again meanwhile', (sound) =>
    reopening(sound, { failed: (_, { after, ...request }) => sound.reopenDeliveries(request) }),
  ),
  broken("forgets the place in one webhook's history", 'those that fail again meanwhile', (sound) =>
    reopening(sound, {
      failed: ({ webhookId }, { after, ...request }) =>
        sound.reopenDeliveries(webhookId === undefined ? { ...request, after } : request),
    }),
  ),
  broken('passes over what has the same moment as the place', 'those that fail again meanwhile', (sound) =>
    reopening(sound, {
      failed: (_, { after, ...request }) =>
        sound.reopenDeliveries({ ...request, after: after && { ...after, id: Number.MAX_SAFE_INTEGER } }),
    }),
  ),
  broken('begins at the moment of the place again', 'nothing at a place or before it', (sound) =>
    reopening(sound, {
      failed: (_, { after, ...request }) =>
        sound.reopenDeliveries({ ...request, after: after && { ...after, id: 0 } }),
    }),
  ),
  broken('knows a place by its id alone', 'those that fail again meanwhile', (sound) =>
    reopening(sound, {
      async failed(_, { after, ...request }) {
        if (after === undefined) return sound.reopenDeliveries(request);
        const all = (await historyOf(sound, 1, 'failed')).reverse();
        const rest = all.filter(({ id }) => id > after.id);
        return reopenEach(sound, rest.slice(0, request.limit), request.now);
      },
    }),
  ),
  broken('forgets the moment asked for where there is a place', 'nothing at a place or before', (sound) =>
    reopening(sound, {
      failed: (query, request) =>
        sound.reopenDeliveries(
          request.after === undefined ? request : { ...request, target: { ...query, createdSince: '' } },
        ),
    }),
  ),
  broken('recovers by reading first and writing later', 'once for many that recover at once', (sound) =>
    reopening(sound, {
      async failed(_, request) {
        const pages = await Promise.all([1, 2, 3, 4].map((id) => historyOf(sound, id, 'failed')));
        await setImmediate();
        return reopenEach(sound, pages.flat().slice(0, request.limit), request.now);
      },
    }),
  ),
];

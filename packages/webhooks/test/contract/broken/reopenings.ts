import { setImmediate } from 'node:timers/promises';
import type { DeliverySummary } from '../../../src/storage/records.ts';
import { isTestDelivery } from '../../../src/test-deliveries.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

/** Storages that begin new series of attempts wrongly. */
export const brokenReopenings: readonly BrokenStorage[] = [
  broken('reopens what has not ended', 'nothing that has not ended', (sound) => ({
    reopenDelivery: async (request) => {
      const answer = await sound.reopenDelivery(request);
      return answer && 'reopened';
    },
  })),
  broken("reopens another webhook's delivery", 'nothing of another webhook', (sound) => ({
    async reopenDelivery(request) {
      for (const webhookId of [request.webhookId, request.webhookId - 1]) {
        const answer = await sound.reopenDelivery({ ...request, webhookId });
        if (answer !== undefined) return answer;
      }
      return undefined;
    },
  })),
  broken('reopens by reading first and writing later', 'once for many that ask at once', (sound) => ({
    async reopenDelivery(request) {
      const found = await sound.findDelivery(request.webhookId, request.deliveryId);
      await setImmediate();
      if (found === undefined) return undefined;
      if (found.status === 'pending') return 'pending';
      await sound.reopenDelivery(request);
      return 'reopened';
    },
  })),
  broken('reopens and has it wait', 'has ended, due now', (sound) => ({
    reopenDelivery: (request) => sound.reopenDelivery({ ...request, now: request.now + 30_000 }),
  })),
  broken('counts the attempts of a new series from one', 'changes nothing else of it', (sound) => {
    const series = new Map<string, number>();
    return {
      async reopenDelivery(request) {
        const found = await sound.findDelivery(request.webhookId, request.deliveryId);
        series.set(request.deliveryId, found?.attempts ?? 0);
        return sound.reopenDelivery(request);
      },
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
      async reopenDelivery(request) {
        reopened.add(request.deliveryId);
        return sound.reopenDelivery(request);
      },
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        return claims.map((one) => (reopened.has(one.deliveryId) ? { ...one, attemptLog: [] } : one));
      },
    };
  }),
  broken('lets the purge miss what was reopened meanwhile', 'reports as expired', (sound) => {
    const reopened = new Set<string>();
    return {
      async reopenDelivery(request) {
        reopened.add(request.deliveryId);
        return sound.reopenDelivery(request);
      },
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
        const row = (await sound.listDeliveries({ webhookId, limit: 101 })).find((one) => one.id === id);
        if (status === 'pending' || row?.status !== 'pending') continue;
        const [claim] = await sound.claimDueDeliveries({
          now: Number.MAX_SAFE_INTEGER / 4,
          limit: 1,
          leaseMs: 1_000,
          maxAttempts: 20,
          claimToken: 'x',
          maxPerWebhook: 1_000,
          inFlight: new Map(),
        });
        if (claim === undefined) continue;
        const result = records.find((one) => one.id === claim.id);
        if (result) await sound.recordAttempts([{ ...result, claimToken: 'x' }]);
      }
      return accepted;
    },
  })),
  broken('recovers inactive webhooks', 'of active webhooks alone', (sound) => ({
    async reopenFailed(request) {
      const reopened = await sound.reopenFailed(request);
      const { webhookId, now } = request;
      if (webhookId === undefined || reopened.length > 0) return reopened;
      const failed = await sound.listDeliveries({ webhookId, status: 'failed', limit: 101 });
      for (const { deliveryId } of failed) await sound.reopenDelivery({ webhookId, deliveryId, now });
      return failed;
    },
  })),
  broken('recovers every webhook where one was meant', 'those of one or of all', (sound) => ({
    reopenFailed: ({ webhookId: _, ...request }) => sound.reopenFailed(request),
  })),
  broken('counts the failed of inactive webhooks', 'of active webhooks alone', (sound) => ({
    countFailed: async (query) =>
      query.webhookId === undefined
        ? sound.countFailed(query)
        : (await sound.countDeliveries(query.webhookId)).failed,
  })),
  broken('recovers tests', 'no test of an administrator', (sound) => ({
    async reopenFailed(request) {
      const failed = await sound.listDeliveries({ webhookId: 1, status: 'failed', limit: 101 });
      const reopened = await sound.reopenFailed(request);
      const tests = failed.filter(({ deliveryId }) => isTestDelivery(deliveryId));
      for (const { webhookId, deliveryId } of tests) {
        await sound.reopenDelivery({ webhookId, deliveryId, now: request.now });
      }
      return [...reopened, ...tests];
    },
  })),
  broken('counts the failed tests', 'no test of an administrator', (sound) => ({
    async countFailed(query) {
      const failed = await sound.listDeliveries({ webhookId: 1, status: 'failed', limit: 101 });
      const tests = failed.filter(({ deliveryId }) => isTestDelivery(deliveryId));
      return (await sound.countFailed(query)) + tests.length;
    },
  })),
  broken('recovers beyond the limit', 'asked for, at most the limit', (sound) => ({
    reopenFailed: (request) => sound.reopenFailed({ ...request, limit: 1_000 }),
  })),
  broken('recovers what was created before the time asked for', 'none created before', (sound) => ({
    reopenFailed: (request) => sound.reopenFailed({ ...request, createdSince: '' }),
  })),
  broken('counts failed deliveries of any age', 'none created before', (sound) => ({
    countFailed: (query) => sound.countFailed({ ...query, createdSince: '' }),
  })),
  broken('recovers the newest first', 'the oldest failed first', (sound) => ({
    async reopenFailed({ limit, ...request }) {
      const all = await sound.listDeliveries({ webhookId: 1, status: 'failed', limit: 101 });
      const newest = all.filter(({ createdAt }) => createdAt >= request.createdSince).slice(0, limit);
      for (const { deliveryId } of newest) {
        await sound.reopenDelivery({ webhookId: 1, deliveryId, now: request.now });
      }
      return newest;
    },
  })),
  broken("recovers one webhook's newest first", "one webhook's oldest failed first", (sound) => ({
    async reopenFailed(request) {
      const { webhookId, limit, now } = request;
      if (webhookId === undefined) return sound.reopenFailed(request);
      const failed = await sound.listDeliveries({ webhookId, status: 'failed', limit: 101 });
      const newest = failed.filter(({ createdAt }) => createdAt >= request.createdSince).slice(0, limit);
      for (const { deliveryId } of newest) await sound.reopenDelivery({ webhookId, deliveryId, now });
      return newest;
    },
  })),
  broken('recovers to the front of the line', 'before what was recovered', (sound) => ({
    async reopenFailed({ createdSince, now }) {
      const failed = await sound.listDeliveries({ webhookId: 1, status: 'failed', limit: 101 });
      const taken = failed.filter(({ createdAt }) => createdAt >= createdSince).reverse();
      for (const { webhookId, deliveryId } of taken) {
        await sound.reopenDelivery({ webhookId, deliveryId, now });
      }
      return taken;
    },
  })),
  broken('answers what it recovers newest first', 'the oldest failed first', (sound) => ({
    reopenFailed: async (request) => (await sound.reopenFailed(request)).reverse(),
  })),
  broken('recovers from the oldest on whatever the place', 'those that fail again meanwhile', (sound) => ({
    reopenFailed: ({ after: _, ...request }) => sound.reopenFailed(request),
  })),
  broken("forgets the place in one webhook's history", 'those that fail again meanwhile', (sound) => ({
    reopenFailed: ({ after, ...request }) =>
      sound.reopenFailed(request.webhookId === undefined ? { ...request, after } : request),
  })),
  broken('passes over what has the same moment as the place', 'those that fail again meanwhile', (sound) => ({
    reopenFailed: ({ after, ...request }) =>
      sound.reopenFailed({ ...request, after: after && { ...after, id: Number.MAX_SAFE_INTEGER } }),
  })),
  broken('begins at the moment of the place again', 'nothing at a place or before it', (sound) => ({
    reopenFailed: ({ after, ...request }) =>
      sound.reopenFailed({ ...request, after: after && { ...after, id: 0 } }),
  })),
  broken('knows a place by its id alone', 'those that fail again meanwhile', (sound) => ({
    async reopenFailed({ after, ...request }) {
      if (after === undefined) return sound.reopenFailed(request);
      const all = await sound.listDeliveries({ webhookId: 1, status: 'failed', limit: 101 });
      const rest = all.reverse().filter(({ id }) => id > after.id);
      const taken = rest.slice(0, request.limit);
      for (const { webhookId, deliveryId } of taken) {
        await sound.reopenDelivery({ webhookId, deliveryId, now: request.now });
      }
      return taken;
    },
  })),
  broken('forgets the moment asked for where there is a place', 'nothing at a place or before', (sound) => ({
    reopenFailed: (request) =>
      sound.reopenFailed(request.after === undefined ? request : { ...request, createdSince: '' }),
  })),
  broken('recovers by reading first and writing later', 'once for many that recover at once', (sound) => {
    return {
      async reopenFailed(request) {
        const failed: DeliverySummary[] = [];
        for (const webhookId of [1, 2, 3, 4]) {
          failed.push(...(await sound.listDeliveries({ webhookId, status: 'failed', limit: 101 })));
        }
        await setImmediate();
        const taken = failed.slice(0, request.limit);
        for (const { webhookId, deliveryId } of taken) {
          await sound.reopenDelivery({ webhookId, deliveryId, now: request.now });
        }
        return taken;
      },
    };
  }),
];

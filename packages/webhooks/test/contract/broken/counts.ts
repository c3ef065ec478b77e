import type { DeliveryCounts } from '../../../src/storage/records.ts';
import { type BrokenStorage, broken, historyOf, reopening } from './broken-storage.ts';

const HOUR_MS = 3_600_000;

/** Storages whose counts are not what their rows say. */
export const brokenCounts: readonly BrokenStorage[] = [
  broken('shows activity newest hour first', 'oldest hour first', (sound) => ({
    readActivity: async (query) => (await sound.readActivity(query)).toReversed(),
  })),
  broken('leaves out the last hour', 'the hours of both times', (sound) => ({
    readActivity: (query) =>
      sound.readActivity({ ...query, to: new Date(Date.parse(query.to) - HOUR_MS).toISOString() }),
  })),
  broken('begins at the time instead of its hour', 'the hours of both times', (sound) => ({
    async readActivity(query) {
      const buckets = await sound.readActivity(query);
      return buckets.filter(({ hour }) => hour >= query.from);
    },
  })),
  broken('counts activity by the hour it is counted in', 'by the hour of creation', (sound) => ({
    async readActivity(query) {
      const buckets = await sound.readActivity(query);
      return buckets.map((bucket) => ({ ...bucket, hour: `${query.to.slice(0, 13)}:00:00.000Z` }));
    },
  })),
  broken('keeps counting what was reopened as failed', 'where it belongs', (sound) => {
    const reopened = new Map<number, number>();
    return {
      ...reopening(sound, {
        async one({ webhookId }, request) {
          const receipt = await sound.reopenDeliveries(request);
          reopened.set(webhookId, (reopened.get(webhookId) ?? 0) + receipt.count);
          return receipt;
        },
      }),
      async countDeliveries(webhookId) {
        const counts = await sound.countDeliveries(webhookId);
        const wrong = reopened.get(webhookId) ?? 0;
        return { ...counts, pending: counts.pending - wrong, failed: counts.failed + wrong };
      },
    };
  }),
  broken('keeps counting what was purged', 'where it belongs', (sound) => {
    let purged = 0;
    return {
      async purgeDeliveries(request) {
        const receipt = await sound.purgeDeliveries(request);
        purged += receipt.removed;
        return receipt;
      },
      async countDeliveries(webhookId) {
        const counts = await sound.countDeliveries(webhookId);
        return { ...counts, total: counts.total + purged };
      },
    };
  }),
  broken('counts in a copy that is read before it is written', 'lists (seed 1)', (sound) => {
    const counts = new Map<number, DeliveryCounts>();
    return {
      async recordDispatches(dispatches) {
        const receipts = await sound.recordDispatches(dispatches);
        for (let id = 1; id < 20; id++) counts.set(id, await sound.countDeliveries(id));
        return receipts;
      },
      countDeliveries: async (id) => counts.get(id) ?? sound.countDeliveries(id),
    };
  }),
  broken('keeps activity when only the status changes', 'lists (seed 1)', (sound) => ({
    async readActivity(query) {
      const buckets = await sound.readActivity(query);
      return buckets.map(({ hour, success, failed, pending }) => ({
        hour,
        success: 0,
        failed: 0,
        pending: success + failed + pending,
      }));
    },
  })),
  broken('takes the first delivery for the last', 'the newest delivery of each', (sound) => ({
    async lastDeliveries(webhookIds) {
      const pages = await Promise.all(webhookIds.map((webhookId) => historyOf(sound, webhookId)));
      return pages.flatMap((page) => page.at(-1) ?? []);
    },
  })),
  broken('takes the one created last for the newest', 'the newest delivery of each', (sound) => ({
    async lastDeliveries(webhookIds) {
      const pages = await Promise.all(webhookIds.map((webhookId) => historyOf(sound, webhookId)));
      return pages.flatMap((page) =>
        page.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, 1),
      );
    },
  })),
  broken('finds the last delivery of the first webhook alone', 'the newest delivery of each', (sound) => ({
    lastDeliveries: (webhookIds) => sound.lastDeliveries(webhookIds.slice(0, 1)),
  })),
];

import { setImmediate } from 'node:timers/promises';
import type { DeliverySummary, OverviewRecord } from '../../../src/storage/records.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import type { OverviewQuery } from '../../../src/storage/webhook-requests.ts';
import { type BrokenStorage, broken, historyOf, reopening } from './broken-storage.ts';

const HOUR_MS = 3_600_000;

/** Storages whose counts are not what their rows say. */
export const brokenCounts: readonly BrokenStorage[] = [
  broken('lets two workers take the same step of a failure run', 'one of several steps at once', (sound) => ({
    async stepFailures(request) {
      const read = await sound.stepFailures({ ...request, step: ({ run }) => run });
      const steps = read.map((kept) => ({ ...kept, after: request.step(kept) }));
      const after = new Map(steps.map((step) => [step.webhookId, step.after]));
      await sound.stepFailures({ ...request, step: ({ webhookId }) => after.get(webhookId) ?? null });
      return steps;
    },
  })),
  broken('adds up the pending deliveries of all webhooks alone', 'the activity of all', (sound) => ({
    readOverview: changed(sound, ({ activity, ...overview }) => ({
      ...overview,
      ...(activity && {
        activity: activity.map((hour) => (overview.webhookId === 0 ? { ...hour, failed: 0 } : hour)),
      }),
    })),
  })),
  broken('shows activity newest hour first', 'oldest hour first', (sound) => ({
    readOverview: changed(sound, ({ activity, ...overview }) => ({
      ...overview,
      ...(activity && { activity: activity.toReversed() }),
    })),
  })),
  broken('leaves out the last hour', 'the hours of both times', (sound) => ({
    readOverview({ activity, ...query }) {
      if (activity === undefined) return sound.readOverview(query);
      const to = new Date(Date.parse(activity.to) - HOUR_MS).toISOString();
      return sound.readOverview({ ...query, activity: { ...activity, to } });
    },
  })),
  broken('begins at the time instead of its hour', 'the hours of both times', (sound) => ({
    readOverview: changed(sound, ({ activity, ...overview }, { activity: range }) => ({
      ...overview,
      ...(activity && { activity: activity.filter(({ hour }) => hour >= (range?.from ?? '')) }),
    })),
  })),
  broken('counts activity by the hour it is counted in', 'by the hour of creation', (sound) => ({
    readOverview: changed(sound, ({ activity, ...overview }, { activity: range }) => ({
      ...overview,
      ...(activity && {
        activity: activity.map((bucket) => ({ ...bucket, hour: `${range?.to.slice(0, 13)}:00:00.000Z` })),
      }),
    })),
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
      readOverview: changed(sound, ({ counts, ...overview }) => {
        const wrong = reopened.get(overview.webhookId) ?? 0;
        if (counts === undefined) return overview;
        const { pending, failed } = counts;
        return { ...overview, counts: { ...counts, pending: pending - wrong, failed: failed + wrong } };
      }),
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
      readOverview: changed(sound, ({ counts, ...overview }) => ({
        ...overview,
        ...(counts && { counts: { ...counts, failed: counts.failed + purged } }),
      })),
    };
  }),
  broken('counts in a copy that is read before it is written', 'lists (seed 2)', (sound) => {
    const copies = new Map<number, OverviewRecord>();
    return {
      async recordDispatches(dispatches) {
        const receipts = await sound.recordDispatches(dispatches);
        for (let id = 1; id < 20; id++) {
          const [copy] = await sound.readOverview({ webhookIds: [id], counts: true });
          if (copy !== undefined) copies.set(id, copy);
        }
        return receipts;
      },
      readOverview: changed(sound, ({ counts, ...overview }) => ({
        ...overview,
        ...(counts && { counts: copies.get(overview.webhookId)?.counts ?? counts }),
      })),
    };
  }),
  broken('keeps activity when only the status changes', 'lists (seed 1)', (sound) => ({
    readOverview: changed(sound, ({ activity, ...overview }) => ({
      ...overview,
      ...(activity && {
        activity: activity.map(({ hour, success, failed, pending }) => ({
          hour,
          success: 0,
          failed: 0,
          pending: success + failed + pending,
        })),
      }),
    })),
  })),
  broken('takes the first delivery for the last', 'the newest delivery of each', (sound) => ({
    readOverview: lastFrom(sound, (page) => page.at(-1)),
  })),
  broken('takes the one created last for the newest', 'the newest delivery of each', (sound) => ({
    readOverview: lastFrom(sound, (page) => page.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]),
  })),
  broken('reports on the first webhook alone', 'the newest delivery of each', (sound) => ({
    readOverview: ({ webhookIds = [], ...query }) =>
      sound.readOverview({ ...query, webhookIds: webhookIds.slice(0, 1) }),
  })),
  broken('reports on webhooks that are not there', 'all of one moment', (sound) => ({
    async readOverview(query) {
      const overviews = await sound.readOverview(query);
      const found = new Map(overviews.map((overview) => [overview.webhookId, overview]));
      return (query.webhookIds ?? []).map((webhookId) => found.get(webhookId) ?? { webhookId });
    },
  })),
  broken('tells more than is asked for', 'all of one moment', (sound) => ({
    readOverview: (query) => sound.readOverview({ ...query, counts: true }),
  })),
  broken('reads one part after the other', 'all of one moment', (sound) => ({
    async readOverview({ healthSince, webhookIds = [], ...query }) {
      const overviews = await sound.readOverview({ ...query, webhookIds });
      if (healthSince === undefined) return overviews;
      await setImmediate();
      const later = await sound.readOverview({ webhookIds, healthSince });
      return overviews.map((overview, index) => ({ ...overview, ...later[index] }));
    },
  })),
];

/** Overviews that are changed before they are given. */
function changed(
  sound: WebhookStorage,
  change: (overview: OverviewRecord, query: OverviewQuery) => OverviewRecord,
): WebhookStorage['readOverview'] {
  return async (query) => (await sound.readOverview(query)).map((overview) => change(overview, query));
}

/** Overviews whose last delivery is chosen from the history. */
function lastFrom(
  sound: WebhookStorage,
  choose: (page: readonly DeliverySummary[]) => DeliverySummary | undefined,
): WebhookStorage['readOverview'] {
  return async (query) => {
    const overviews = await sound.readOverview(query);
    return Promise.all(
      overviews.map(async (overview) => {
        const page = await historyOf(sound, overview.webhookId);
        return { ...overview, lastDelivery: choose(page) ?? null };
      }),
    );
  };
}

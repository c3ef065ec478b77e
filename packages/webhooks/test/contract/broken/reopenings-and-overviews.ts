import { setImmediate } from 'node:timers/promises';
import { type Breaks, breaking } from '../../../../../test/contract/breaking.ts';
import type { FailedQuery, ReopenRequest } from '../../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';

const { ask, answer } = breaking<WebhookStorage>();

/** To recover other failed deliveries than those that are asked for. */
const failed = (change: (request: ReopenRequest, target: FailedQuery) => ReopenRequest) =>
  ask('reopenDeliveries', (request) =>
    'deliveryId' in request.target ? request : change(request, request.target),
  );

/** What breaks the promises of reopened deliveries, counts, health and revisions. */
export const brokenOverviews: Breaks<WebhookStorage> = {
  'nothing that has not ended': answer('reopenDeliveries', ({ outcome, ...receipt }) => ({
    ...receipt,
    outcome: outcome === 'pending' ? 'reopened' : outcome,
  })),
  'once for many that ask at once': answer('reopenDeliveries', (receipt, { target }) =>
    'deliveryId' in target ? { ...receipt, outcome: 'reopened' } : receipt,
  ),
  'has ended, due now': ask('reopenDeliveries', (request) => ({ ...request, now: request.now + 30_000 })),
  'as many attempts as a new one': answer('claimDueDeliveries', (all) =>
    all.map((one) => ({ ...one, seriesAttempt: one.attempt })),
  ),
  'those of one or of all': failed((request, { webhookId: _, ...target }) => ({ ...request, target })),
  'asked for, at most the limit': failed((request) => ({ ...request, limit: 1_000 })),
  'those that fail again meanwhile': failed(({ after: _, ...request }) => request),
  'once for many that recover at once': (sound) => ({
    async reopenDeliveries(request) {
      const { deliveries, count } = await sound.reopenDeliveries({ ...request, dryRun: true, limit: 1_000 });
      await setImmediate();
      const receipt = await sound.reopenDeliveries(request);
      return count > receipt.count ? { outcome: 'reopened', deliveries, count } : receipt;
    },
  }),
  'those of some events alone': failed((request, { events: _, ...target }) => ({ ...request, target })),
  'the failed created before a time': failed((request, { createdBefore: _, ...target }) => ({
    ...request,
    target,
  })),
  'oldest hour first': answer('readOverview', (all) =>
    all.map(({ activity, ...one }) => ({ ...one, ...(activity && { activity: activity.toReversed() }) })),
  ),
  'where it belongs': (sound) => {
    let purged = 0;
    const overviews = answer('readOverview', (all) =>
      all.map(({ counts, ...one }) => ({
        ...one,
        ...(counts && { counts: { ...counts, failed: counts.failed + purged } }),
      })),
    );
    return {
      ...overviews(sound),
      async purgeDeliveries(request) {
        const receipt = await sound.purgeDeliveries(request);
        purged += receipt.removed;
        return receipt;
      },
    };
  },
  'all of one moment': ask('readOverview', (query) => ({ ...query, counts: true })),
  'the latest first, and one by its delivery id': answer('findDeliveries', (page, search) =>
    search.webhookId === undefined ? { ...page, deliveries: page.deliveries.toReversed() } : page,
  ),
  'with the present URL and name of': answer('findDeliveries', (page) => ({
    ...page,
    deliveries: page.deliveries.map((found) => ({ ...found, webhookUrl: null })),
  })),
  'error, HTTP status and time': ask('findDeliveries', ({ createdFrom: _, ...search }) => search),
  'something may be wrong': ask('listWebhooks', ({ unwell: _, ...query }) => query),
  'and of all together': ask('readOverview', ({ webhookIds = [], ...parts }) => ({ ...parts, webhookIds })),
  'filters and sorts by level': ask('listWebhooks', ({ level: _, ...query }) => query),
  'no outcome without an activation': ask('recordAttempts', (all) =>
    all.map((record) => ({ ...record, activation: 0 })),
  ),
  'since when a webhook is inactive': answer(
    'findWebhook',
    (found) => found && { ...found, inactiveSince: found.isActive ? null : found.createdAt },
  ),
  'after every change of a webhook': answer('readRevision', (given) => given.replace(/^\d+/, '')),
  'written, ended, reopened or purged': (sound) => ({ readRevision: async () => sound.readRevision() }),
  'was written to any': ask('readRevision', (ids) => ids ?? []),
};

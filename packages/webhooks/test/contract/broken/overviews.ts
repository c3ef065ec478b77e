import { type BrokenStorage, broken, reopening } from './broken-storage.ts';

/** Storages whose health or revision is not what their rows say. */
export const brokenOverviews: readonly BrokenStorage[] = [
  broken('reopens whatever the event', 'those of some events alone', (sound) => ({
    ...reopening(sound, {
      failed: ({ events: _, ...target }, request) => sound.reopenDeliveries({ ...request, target }),
    }),
  })),
  broken('counts to the end of time', 'the failed created before a time', (sound) => ({
    ...reopening(sound, {
      failed: ({ createdBefore: _, ...target }, request) => sound.reopenDeliveries({ ...request, target }),
    }),
  })),
  broken('searches oldest first', 'the latest first, and one by its delivery id', (sound) => ({
    async findDeliveries(search) {
      const page = await sound.findDeliveries(search);
      return search.webhookId === undefined ? { ...page, deliveries: page.deliveries.toReversed() } : page;
    },
  })),
  broken('forgets where a delivery that was found goes', 'with the present URL and name of', (sound) => ({
    async findDeliveries(search) {
      const page = await sound.findDeliveries(search);
      return { ...page, deliveries: page.deliveries.map((found) => ({ ...found, webhookUrl: null })) };
    },
  })),
  broken('forgets the name of a webhook', 'with the present URL and name of', (sound) => ({
    async findDeliveries(search) {
      const page = await sound.findDeliveries(search);
      return { ...page, deliveries: page.deliveries.map((found) => ({ ...found, webhookName: '' })) };
    },
  })),
  broken('ignores the time in a search', 'error, HTTP status and time', (sound) => ({
    findDeliveries: ({ createdFrom: _, ...search }) => sound.findDeliveries(search),
  })),
  broken('reads all that is newer than a range', 'however many are newer or older', (sound) => ({
    async findDeliveries({ createdFrom = '', createdBefore = '9', ...search }) {
      const read = await sound.findDeliveries({ ...search, limit: search.maxScanned });
      const isWithin = (time: string) => time >= createdFrom && time < createdBefore;
      const deliveries = read.deliveries.filter(({ createdAt }) => isWithin(createdAt));
      return { ...read, deliveries: deliveries.slice(0, search.limit), isCut: read.next !== null };
    },
  })),
  broken('forgets one of two created in one millisecond', 'once from page to page', (sound) => ({
    findDeliveries: ({ before, ...search }) =>
      sound.findDeliveries({ ...search, ...(before && { before: { ...before, id: 0 } }) }),
  })),
  broken('ends where it has read enough', 'however few it may read', (sound) => ({
    async findDeliveries(search) {
      const page = await sound.findDeliveries(search);
      if (search.maxScanned > 3) return page;
      return { ...page, deliveries: page.deliveries.slice(0, 3), next: null };
    },
  })),
  broken('counts the health of the first webhook for all', 'deliveries of each webhook ended', (sound) => ({
    async readOverview({ webhookIds = [], ...parts }) {
      const first = await sound.readOverview({ ...parts, webhookIds: [1] });
      return webhookIds.flatMap((webhookId) => first.map((overview) => ({ ...overview, webhookId })));
    },
  })),
  broken('takes every webhook for unwell', 'something may be wrong', (sound) => ({
    listWebhooks: ({ unwell: _, ...query }) => sound.listWebhooks(query),
  })),
  broken('takes what waits for overdue', 'something may be wrong', (sound) => ({
    listWebhooks: ({ unwell, ...query }) =>
      sound.listWebhooks({ ...query, ...(unwell && { unwell: { ...unwell, overdueMs: -60_000 } }) }),
  })),
  broken('tells nothing of all together', 'and of all together', (sound) => ({
    readOverview: ({ webhookIds = [], ...parts }) => sound.readOverview({ ...parts, webhookIds }),
  })),
  broken('counts the health of all times', 'health from the hour asked for', (sound) => ({
    readOverview: (query) => sound.readOverview({ ...query, healthSince: '1970-01-01T00:00:00.000Z' }),
  })),
  broken('ignores the level of a webhook', 'filters and sorts by level', (sound) => ({
    listWebhooks: ({ level: _, ...query }) => sound.listWebhooks(query),
  })),
  broken('orders by id instead of by level', 'filters and sorts by level', (sound) => ({
    listWebhooks: (query) => sound.listWebhooks({ ...query, sort: 'id' }),
  })),
  broken('takes an unsent delivery for a failure', 'no outcome without an activation', (sound) => ({
    recordAttempts: (records) =>
      sound.recordAttempts(records.map((record) => ({ ...record, activation: 0 }))),
  })),
  broken('forgets since when a webhook is inactive', 'since when a webhook is inactive', (sound) => ({
    async findWebhook(id) {
      const found = await sound.findWebhook(id);
      return found && { ...found, inactiveSince: found.isActive ? null : found.createdAt };
    },
  })),
  broken('does not see changes of webhooks', 'after every change of a webhook', (sound) => ({
    readRevision: async (ids) => (await sound.readRevision(ids)).replace(/^\d+/, ''),
  })),
  broken('draws a revision each time', 'and the same after none', (sound) => {
    let drawn = 0;
    return { readRevision: async (ids) => `${await sound.readRevision(ids)}-${++drawn}` };
  }),
  broken('takes the newest delivery for the revision', 'written, ended, reopened or purged', (sound) => ({
    readRevision: async () => sound.readRevision(),
  })),
  broken('sees no new delivery of all webhooks', 'was written to any', (sound) => ({
    readRevision: (ids) => sound.readRevision(ids ?? []),
  })),
  broken('ends the present secret too', 'when it is ended, and keeps the present one', (sound) => ({
    changeWebhook(id, change) {
      const rotation = { secret: 'whsec_0', previousSecretExpiresAt: change.updatedAt };
      return sound.changeWebhook(id, change.previousSecret === null ? { ...change, rotation } : change);
    },
  })),
];

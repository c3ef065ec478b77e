import { setImmediate } from 'node:timers/promises';
import type {
  AttemptReceipt,
  AttemptRecord,
  ClaimedDelivery,
  DispatchReceipt,
} from '../../../src/storage/delivery-requests.ts';
import { chooseEvenly } from '../../../src/testing/storage-contract/choose-evenly.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

/** Storages that break one promise each; everything else is `memoryStorage`. */
export const brokenStorages: readonly BrokenStorage[] = [
  broken('hands out every claim twice', 'keeps a claimed delivery from others', (sound) => {
    let last: ClaimedDelivery[] = [];
    return {
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        if (claims.length > 0) last = claims;
        return claims.length > 0 ? claims : last.splice(0);
      },
    };
  }),
  broken('claims by reading first and marking later', 'never hands out one delivery twice', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries({ ...request, leaseMs: 0 });
      await Promise.resolve();
      return claims;
    },
  })),
  broken('hands out more than asked for', 'by id, no more than asked for', (sound) => ({
    claimDueDeliveries: (request) =>
      sound.claimDueDeliveries({ ...request, choose: chooseEvenly(request.limit + 1) }),
  })),
  broken('hands out the newest first', 'hands out the longest due first', (sound) => ({
    claimDueDeliveries: async (request) => (await sound.claimDueDeliveries(request)).reverse(),
  })),
  broken('hands out before it is due', 'lets a lease end, and a delivery fall due', (sound) => ({
    claimDueDeliveries: (request) => sound.claimDueDeliveries({ ...request, now: request.now + 30 }),
  })),
  broken('ignores the lease', 'keeps a claimed delivery from others', (sound) => ({
    claimDueDeliveries: (request) => sound.claimDueDeliveries({ ...request, leaseMs: 1 }),
  })),
  broken('holds a claim for ever', 'keeps a claimed delivery from others', (sound) => ({
    claimDueDeliveries: (request) => sound.claimDueDeliveries({ ...request, leaseMs: 1e12 }),
  })),
  broken('forgets that an attempt was lost', 'then names the lost attempt', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries(request);
      return claims.map((claim) => ({ ...claim, lostAttempt: null }));
    },
  })),
  broken('knows no maximum of attempts', 'counts lost attempts up to the maximum', (sound) => ({
    claimDueDeliveries: (request) => sound.claimDueDeliveries({ ...request, maxAttempts: 1_000 }),
  })),
  broken('lets attempts go down', 'counts lost attempts up to the maximum', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries(request);
      return claims.map((claim) => ({ ...claim, attempt: 1, seriesAttempt: 1 }));
    },
  })),
  broken('claims with the webhook as it was first seen', 'hands out the webhook as it is now', (sound) => {
    const seen = new Map<number, ClaimedDelivery['webhook']>();
    return {
      async createWebhook(webhook) {
        const created = await sound.createWebhook(webhook);
        const { id, tenant, url, isActive, maxPerMinute } = created;
        seen.set(id, {
          id,
          tenant,
          url,
          isActive,
          maxPerMinute,
          secret: webhook.secret,
          previousSecret: null,
          activation: 0,
        });
        return created;
      },
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        return claims.map((claim) => ({ ...claim, webhook: seen.get(claim.webhook.id) ?? claim.webhook }));
      },
    };
  }),
  broken('accepts late results', 'discards the late result', (sound) => {
    const tokens = new Map<number, string>();
    return {
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        for (const { id, claimToken } of claims) tokens.set(id, claimToken);
        return claims;
      },
      recordAttempts: (records) =>
        sound.recordAttempts(records.map((one) => ({ ...one, claimToken: tokens.get(one.id) ?? '' }))),
    };
  }),
  broken('writes a result again that is offered again', 'writes a result once', (sound) => {
    const last = new Map<number, AttemptRecord>();
    return {
      async recordAttempts(records) {
        for (const one of records) last.set(one.id, one);
        return sound.recordAttempts(records);
      },
      async findDeliveries(search) {
        const page = await sound.findDeliveries(search);
        const deliveries = page.deliveries.map((found) => {
          const { status, error } = last.get(found.id) ?? found;
          return { ...found, status, error };
        });
        return { ...page, deliveries };
      },
    };
  }),
  broken('takes a result that it has recorded for a late one', 'knows it again', (sound) => {
    const known = new Set<string>();
    return {
      async recordAttempts(records) {
        const receipts = await sound.recordAttempts(records);
        return receipts.map((receipt, i) => {
          const key = `${records[i]?.id} ${records[i]?.claimToken}`;
          if (known.has(key)) return 'late';
          known.add(key);
          return receipt;
        });
      },
    };
  }),
  broken('takes the result for a removed delivery for a late one', 'says that it is gone', (sound) => ({
    async recordAttempts(records) {
      const receipts = await sound.recordAttempts(records);
      return receipts.map((receipt) => (receipt === 'gone' ? 'late' : receipt));
    },
  })),
  broken('refuses a result whose lease has ended', 'accepts a result after the lease', (sound) => {
    const leases = new Map<string, number>();
    return {
      async claimDueDeliveries(request) {
        leases.set(request.claimToken, request.now + request.leaseMs);
        return sound.claimDueDeliveries(request);
      },
      recordAttempts: (records) =>
        sound.recordAttempts(
          records.map((one) =>
            (leases.get(one.claimToken) ?? 0) > one.now ? one : { ...one, claimToken: 'expired' },
          ),
        ),
    };
  }),
  broken('answers results in another order', 'answers a mixed group in its order', (sound) => ({
    recordAttempts: async (records) => (await sound.recordAttempts(records)).toReversed(),
  })),
  broken('keeps no log of attempts', 'and the whole log', (sound) => ({
    recordAttempts: (records) => sound.recordAttempts(records.map((one) => ({ ...one, attemptLog: [] }))),
  })),
  broken('makes every retry due at once', 'hands it out again when it is due', (sound) => ({
    recordAttempts: (records) => sound.recordAttempts(records.map((one) => ({ ...one, retryInMs: 0 }))),
  })),
  broken('records a group one by one', 'records a group as a whole', (sound) => ({
    async recordAttempts(records: readonly AttemptRecord[]) {
      const receipts: AttemptReceipt[] = [];
      for (const one of records) receipts.push(...(await sound.recordAttempts([one])));
      return receipts;
    },
  })),
  broken('writes a group one by one', 'writes a group as a whole', (sound) => ({
    async recordDispatches(dispatches) {
      const receipts: DispatchReceipt[] = [];
      for (const one of dispatches) receipts.push(...(await sound.recordDispatches([one])));
      return receipts;
    },
  })),
  broken('answers dispatches in another order', 'answers receipts in the order', (sound) => ({
    recordDispatches: async (dispatches) => (await sound.recordDispatches(dispatches)).reverse(),
  })),
  broken('writes to inactive webhooks', 'leaves out webhooks that are inactive', (sound) => ({
    createWebhook: async (webhook) => {
      const created = await sound.createWebhook({ ...webhook, isActive: true });
      return { ...created, isActive: webhook.isActive };
    },
  })),
  broken('loses idempotency keys', 'writes nothing for a key seen before', (sound) => ({
    recordDispatches: (dispatches) =>
      sound.recordDispatches(dispatches.map(({ idempotencyKey: _, ...rest }) => rest)),
  })),
  broken('shares idempotency keys among events', 'tells keys apart by event', (sound) => ({
    async recordDispatches(dispatches) {
      const keys = dispatches.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
      const shared = keys.map((one) => ({ ...one, event: 'any', target: { patterns: [] } }));
      const receipts = await sound.recordDispatches(shared);
      if (receipts.some(({ outcome }) => outcome === 'repeated')) {
        return dispatches.map(() => ({ outcome: 'repeated', deliveryIds: [] }));
      }
      return sound.recordDispatches(dispatches);
    },
  })),
  broken('checks a key first and keeps it later', 'when many bring one key at once', (sound) => {
    const keys = new Set<string>();
    return {
      async recordDispatches(dispatches) {
        const isRepeated = dispatches.map((one) => keys.has(`${one.event} ${one.idempotencyKey}`));
        await Promise.resolve();
        for (const one of dispatches) {
          if (one.idempotencyKey !== undefined) keys.add(`${one.event} ${one.idempotencyKey}`);
        }
        const unkeyed = dispatches.map(({ idempotencyKey: _, ...rest }, i) =>
          isRepeated[i] ? { ...rest, target: { patterns: [] } } : rest,
        );
        const receipts = await sound.recordDispatches(unkeyed);
        return receipts.map((receipt, i) => ({
          ...receipt,
          outcome: isRepeated[i] ? 'repeated' : 'written',
        }));
      },
    };
  }),
  broken('matches patterns in any case', 'compares patterns by their bytes', (sound) => ({
    createWebhook: async (webhook) => {
      const events = webhook.events.map((pattern) => pattern.toLowerCase());
      const created = await sound.createWebhook({ ...webhook, events });
      return { ...created, events: webhook.events };
    },
  })),
  broken('parses and prints payloads anew', 'keeps payloads exactly', (sound) => ({
    recordDispatches: (dispatches) =>
      sound.recordDispatches(
        dispatches.map((one) => ({ ...one, payload: JSON.stringify(JSON.parse(one.payload)) })),
      ),
  })),
  broken('deletes no deliveries', 'removes a webhook with its patterns and deliveries', (sound) => {
    const removed = new Set<number>();
    return {
      async deleteWebhook(id) {
        const isThere = !removed.has(id) && (await sound.findWebhook(id)) !== undefined;
        if (isThere) await sound.changeWebhook(id, { isActive: false, updatedAt: '' });
        removed.add(id);
        return isThere;
      },
      findWebhook: async (id) => (removed.has(id) ? undefined : sound.findWebhook(id)),
    };
  }),
  broken('shows a webhook while its history is going', 'is gone for everybody at once', (sound) => ({
    async deleteWebhook(id) {
      if ((await sound.findWebhook(id)) === undefined) return false;
      while ((await sound.purgeDeliveries({ createdBefore: '9', now: 0, limit: 100 })).removed > 0) {
        await setImmediate();
      }
      return sound.deleteWebhook(id);
    },
  })),
  broken('hides a webhook before its history', 'is gone for everybody at once', (sound) => {
    const hidden = new Set<number>();
    return {
      findWebhook: async (id) => (hidden.has(id) ? undefined : sound.findWebhook(id)),
      async deleteWebhook(id) {
        hidden.add(id);
        for (let turn = 0; turn < 5; turn++) await setImmediate();
        return sound.deleteWebhook(id);
      },
    };
  }),
  broken('gives ids again', "never gives a removed webhook's id again", (sound) => {
    const offsets = { removed: 0 };
    return {
      async createWebhook(webhook) {
        const created = await sound.createWebhook(webhook);
        return { ...created, id: created.id - offsets.removed };
      },
      async deleteWebhook(id) {
        offsets.removed++;
        return sound.deleteWebhook(id);
      },
    };
  }),
  broken('clears the fields that an update leaves out', 'replaces the given fields', (sound) => ({
    changeWebhook: (id, change) => sound.changeWebhook(id, { description: '', ...change }),
  })),
  broken('shows the secret', 'without its secret', (sound) => ({
    createWebhook: async (webhook) => ({ ...(await sound.createWebhook(webhook)), secret: webhook.secret }),
  })),
  broken('treats % in a search as a wildcard', 'searches URL, name and description', (sound) => ({
    listWebhooks: ({ search = '', ...query }) =>
      sound.listWebhooks({ ...query, search: search.replaceAll('%', '') }),
  })),
  broken('ignores the patterns searched for', 'one of the patterns searched for', (sound) => ({
    listWebhooks: ({ searchPatterns: _, ...query }) => sound.listWebhooks(query),
  })),
  broken('searches in the exact case', 'searches URL, name and description', (sound) => ({
    async listWebhooks(query) {
      const { webhooks } = await sound.listWebhooks({ ...query, search: '' });
      const found = webhooks.filter(({ url, description }) =>
        `${url} ${description}`.includes(query.search ?? ''),
      );
      return { webhooks: found, total: found.length };
    },
  })),
  broken('counts the page instead of all', 'counts all that match', (sound) => ({
    async listWebhooks(query) {
      const { webhooks } = await sound.listWebhooks(query);
      return { webhooks, total: webhooks.length };
    },
  })),
  broken('breaks ties in one direction', 'ties by id in the same direction', (sound) => ({
    async listWebhooks(query) {
      const { webhooks, total } = await sound.listWebhooks({ ...query, order: 'asc' });
      const fields = { url: 'url', created_at: 'createdAt', updated_at: 'updatedAt' } as const;
      const by = new Map<string, 'url' | 'createdAt' | 'updatedAt'>(Object.entries(fields)).get(query.sort);
      if (query.order === 'asc' || by === undefined) return sound.listWebhooks(query);
      return { webhooks: webhooks.sort((a, b) => (a[by] < b[by] ? 1 : a[by] > b[by] ? -1 : 0)), total };
    },
  })),
  broken("shows every webhook's history", 'finds a delivery under its own webhook', (sound) => ({
    findDeliveries({ webhookId, ...search }) {
      const isOne = search.deliveryId !== undefined;
      return sound.findDeliveries(isOne || webhookId === undefined ? search : { webhookId, ...search });
    },
  })),
  broken('finds no content where it is asked for', 'with its payload', (sound) => ({
    findDeliveries: ({ withContent: _, ...search }) => sound.findDeliveries(search),
  })),
  broken('repeats the last entry of a page', 'once from page to page', (sound) => ({
    findDeliveries: ({ before, ...search }) =>
      sound.findDeliveries({ ...search, ...(before && { before: { ...before, id: before.id + 1 } }) }),
  })),
  broken('begins at the newest again where a status is asked for', 'once from page to page', (sound) => ({
    findDeliveries: ({ before, ...search }) =>
      sound.findDeliveries({ ...search, ...(before && search.status === undefined && { before }) }),
  })),
  broken('begins at the newest again where status and event are', 'once from page to page', (sound) => ({
    findDeliveries: ({ before, ...search }) =>
      sound.findDeliveries({
        ...search,
        ...(before && (search.status === undefined || search.event === undefined) && { before }),
      }),
  })),
  broken('keeps no key of a dispatch to one webhook', 'a dispatch to one webhook too', (sound) => ({
    recordDispatches: (dispatches) =>
      sound.recordDispatches(
        dispatches.map(({ idempotencyKey, ...one }) =>
          'webhookId' in one.target || idempotencyKey === undefined ? one : { ...one, idempotencyKey },
        ),
      ),
  })),
  broken('shows the history oldest first', 'newest first', (sound) => ({
    async findDeliveries(search) {
      const page = await sound.findDeliveries(search);
      return search.webhookId === undefined ? page : { ...page, deliveries: page.deliveries.toReversed() };
    },
  })),
  broken('has a history in the order of creation', 'newest first', (sound) => ({
    async findDeliveries({ webhookId, ...search }) {
      if (webhookId === undefined) return sound.findDeliveries(search);
      const { deliveries, ...page } = await sound.findDeliveries(search);
      return { ...page, deliveries: deliveries.filter((found) => found.webhookId === webhookId) };
    },
  })),
  broken('ignores the filter by status', 'finds deliveries by status', (sound) => ({
    findDeliveries: ({ status: _, ...search }) => sound.findDeliveries(search),
  })),
  broken('ignores the filter by any error', 'finds deliveries by status', (sound) => ({
    findDeliveries: ({ hasError: _, ...search }) => sound.findDeliveries(search),
  })),
  broken('counts pending as failed', 'counts deliveries by status', (sound) => ({
    readOverview: async (query) =>
      (await sound.readOverview(query)).map(({ counts, ...overview }) => ({
        ...overview,
        ...(counts && { counts: { ...counts, pending: 0, failed: counts.failed + counts.pending } }),
      })),
  })),
  broken('purges without saying what expired', 'ends pending deliveries first', (sound) => ({
    purgeDeliveries: async (request) => ({ ...(await sound.purgeDeliveries(request)), expired: [] }),
  })),
  broken('purges what is as old as the limit', 'nothing younger', (sound) => ({
    purgeDeliveries: (request) =>
      sound.purgeDeliveries(
        'createdBefore' in request ? { ...request, createdBefore: `${request.createdBefore}!` } : request,
      ),
  })),
  broken('forgets keys along with deliveries', 'leaves idempotency keys alone', (sound) => ({
    async purgeDeliveries(request) {
      if ('createdBefore' in request) await sound.purgeIdempotencyKeys(request);
      return sound.purgeDeliveries(request);
    },
  })),
  broken('forgets every key', 'keeps younger ones', (sound) => ({
    purgeIdempotencyKeys: ({ limit }) => sound.purgeIdempotencyKeys({ createdBefore: '9', limit }),
  })),
  broken('forgets keys beyond the limit', 'at most the limit, and keeps younger ones', (sound) => ({
    purgeIdempotencyKeys: (request) => sound.purgeIdempotencyKeys({ ...request, limit: 10_000 }),
  })),
  broken('purges beyond the limit', 'removes at most the limit', (sound) => ({
    purgeDeliveries: (request) => sound.purgeDeliveries({ ...request, limit: 10_000 }),
  })),
];

import type { ClaimRequest } from '../../../src/storage/delivery-requests.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

/** Storages that keep no order, no share or no account of what is due. */
export const brokenReadyQueues: readonly BrokenStorage[] = [
  broken('hands out three at a time where more is due', 'wait for a retry', (sound) => ({
    claimDueDeliveries: (request) =>
      sound.claimDueDeliveries({ ...request, limit: request.limit === 10 ? 3 : request.limit }),
  })),
  broken('hands out the first of a claim twice', 'no delivery twice in one claim', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries(request);
      return request.limit === 50 ? [...claims, ...claims.slice(0, 1)] : claims;
    },
  })),
  broken('ignores what one webhook may have', 'of one webhook no more than asked for', (sound) => ({
    claimDueDeliveries: (request) => sound.claimDueDeliveries({ ...request, maxPerWebhook: 1_000 }),
  })),
  broken('ignores the limits of single webhooks', 'the limits that are named', (sound) => ({
    claimDueDeliveries: ({ webhookLimits: _, ...request }) => sound.claimDueDeliveries(request),
  })),
  broken('serves what is due longest, whatever its webhook', 'webhooks in turn', (sound) => ({
    async claimDueDeliveries(request) {
      const all = await sound.claimDueDeliveries({ ...request, limit: 1_000 });
      return all.toSorted((a, b) => a.id - b.id).slice(0, request.limit);
    },
  })),
  broken('serves suspects by their ids', '0 that hang, 12 that are slow', (sound) => ({
    claimDueDeliveries: ({ suspects = new Set(), ...request }) =>
      sound.claimDueDeliveries({ ...request, suspects: new Set([...suspects].sort((a, b) => a - b)) }),
  })),
  broken('serves webhooks in turn, whatever they have in flight', 'nothing in flight first', (sound) => ({
    async claimDueDeliveries({ inFlight, ...request }) {
      if (request.limit > 4) return sound.claimDueDeliveries({ ...request, inFlight });
      return sound.claimDueDeliveries({ ...request, inFlight: new Map() });
    },
  })),
  broken('begins with the same webhook each time', 'webhooks in turn', (sound) => ({
    async claimDueDeliveries(request) {
      const all = await sound.claimDueDeliveries({ ...request, limit: 1_000, leaseMs: 0 });
      const idle = all.filter(({ webhook }) => !request.inFlight.has(webhook.id));
      const firsts = idle.filter(
        ({ webhook }, i) => idle.findIndex((other) => other.webhook.id === webhook.id) === i,
      );
      return firsts.slice(0, request.limit);
    },
  })),
  broken('knows no suspects', 'no more than their slots', (sound) => ({
    claimDueDeliveries: ({ suspects: _, ...request }) => sound.claimDueDeliveries(request),
  })),
  broken('serves suspects in the order of their ids', 'the first of them first', (sound) => ({
    claimDueDeliveries: ({ suspects = new Set<number>(), ...request }) =>
      sound.claimDueDeliveries({ ...request, suspects: new Set([...suspects].sort((a, b) => a - b)) }),
  })),
  broken('ignores what a runner has in flight', 'counts what a runner has in flight', (sound) => ({
    claimDueDeliveries: (request) => sound.claimDueDeliveries({ ...request, inFlight: new Map() }),
  })),
  broken('counts what one runner has in flight for all', 'counts what a runner has in flight', (sound) => {
    const inFlightOfAll = new Map<number, number>();
    return {
      async claimDueDeliveries(request) {
        const inFlight = new Map(request.inFlight);
        for (const [id, count] of inFlightOfAll) inFlight.set(id, (inFlight.get(id) ?? 0) + count);
        const claims = await sound.claimDueDeliveries({ ...request, inFlight });
        for (const { webhook } of claims)
          inFlightOfAll.set(webhook.id, (inFlightOfAll.get(webhook.id) ?? 0) + 1);
        return claims;
      },
    };
  }),
  broken('looks no further than the rows of a slow webhook', 'past thousands of older rows', (sound) => ({
    async claimDueDeliveries(request) {
      const window = { ...request, limit: 1_000, maxPerWebhook: 1_000, inFlight: new Map() };
      const claims = await sound.claimDueDeliveries(window);
      const shares = new Map(request.inFlight);
      const taken = claims.filter(({ webhook: { id } }, i) => {
        shares.set(id, (shares.get(id) ?? 0) + 1);
        return i < request.limit && (shares.get(id) ?? 0) <= request.maxPerWebhook;
      });
      return taken;
    },
  })),
  broken(
    'counts the share of first attempts and of retries apart',
    'first attempts and retries together',
    (sound) => ({
      async claimDueDeliveries(request: ClaimRequest) {
        const claims = await sound.claimDueDeliveries(request);
        const more = await sound.claimDueDeliveries({ ...request, limit: request.limit });
        return [...claims, ...more.filter(({ seriesAttempt }) => seriesAttempt > 1)];
      },
    }),
  ),
  broken(
    'knows no difference between retries and first attempts',
    'a first attempt before a retry',
    (sound) => ({
      recordAttempts: (records) =>
        sound.recordAttempts(records.map((one) => ({ ...one, retryInMs: one.retryInMs - 60_000 }))),
    }),
  ),
  broken('lets retries wait for ever', 'a retry before a first attempt', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries(request);
      return claims.toSorted((a, b) => Number(a.seriesAttempt > 1) - Number(b.seriesAttempt > 1));
    },
  })),
  broken('takes a reopened delivery for a retry', 'of a reopened delivery', (sound) => ({
    async claimDueDeliveries(request) {
      const all = await sound.claimDueDeliveries({ ...request, limit: 1_000, leaseMs: 0 });
      const inOrder = all.toSorted((a, b) => Number(a.attempt > 1) - Number(b.attempt > 1) || a.id - b.id);
      return inOrder.slice(0, request.limit);
    },
  })),
  broken(
    'says that the first of the ready queue has been due since its priority time',
    'a lost worker had leased',
    (sound) => ({
      async dueSummary(request) {
        const { oldestDueAt, ...summary } = await sound.dueSummary(request);
        if (oldestDueAt === null) return { oldestDueAt, ...summary };
        return { ...summary, oldestDueAt: new Date(Date.parse(oldestDueAt) + 60_000).toISOString() };
      },
    }),
  ),
  broken('sums up limited webhooks with the others', 'outside of the limited webhooks', (sound) => ({
    dueSummary: ({ limited: _, ...query }) => sound.dueSummary(query),
  })),
  broken(
    'looks no further than the rows of limited webhooks',
    'outside of the limited webhooks',
    (sound) => ({
      async dueSummary(query) {
        const summary = await sound.dueSummary(query);
        const isCutOff = query.limited !== undefined && summary.due >= query.limit && query.limit > 1_000;
        return isCutOff ? { ...summary, oldestOtherDueAt: null } : summary;
      },
    }),
  ),
  broken('counts what is due beyond the limit', 'how many are, up to the limit', (sound) => ({
    dueSummary: (request) => sound.dueSummary({ ...request, limit: 100_000 }),
  })),
  broken('counts what is not due yet', 'how many are, up to the limit', (sound) => ({
    dueSummary: (request) => sound.dueSummary({ ...request, now: request.now + 3_600_000 }),
  })),
  broken('counts what is leased', 'how many are, up to the limit', (sound) => {
    const leased = new Set<number>();
    return {
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(request);
        for (const { id } of claims) leased.add(id);
        return claims;
      },
      async dueSummary(request) {
        const { due, ...summary } = await sound.dueSummary(request);
        return { ...summary, due: Math.min(due + leased.size, request.limit) };
      },
    };
  }),
];

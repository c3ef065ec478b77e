import type { ClaimRequest, WaitingWebhook } from '../../../src/storage/delivery-requests.ts';
import { chooseEvenly } from '../../../src/testing/storage-contract/choose-evenly.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

/** Storages that keep no order, no choice or no account of what is due. */
export const brokenReadyQueues: readonly BrokenStorage[] = [
  broken('gives no webhook to choose whose worker vanished', 'every webhook with something due', (sound) => {
    const attempted = new Set<number>();
    return {
      async claimDueDeliveries(request) {
        const claims = await sound.claimDueDeliveries(
          choosingFrom(request, (one) => !attempted.has(one.webhookId)),
        );
        for (const { webhook } of claims) attempted.add(webhook.id);
        return claims;
      },
    };
  }),
  broken('counts nothing that is due', 'counted where all of it fits', (sound) => ({
    claimDueDeliveries: (request) =>
      sound.claimDueDeliveries({
        ...request,
        choose: (waiting) =>
          request.choose(waiting.map(({ webhookId }) => ({ webhookId, due: Number.POSITIVE_INFINITY }))),
      }),
  })),
  broken('chooses by itself', 'as many deliveries as are chosen', (sound) => ({
    claimDueDeliveries(request) {
      const choose: ClaimRequest['choose'] = (waiting) => {
        request.choose(waiting);
        return chooseEvenly(request.limit)(waiting);
      };
      return sound.claimDueDeliveries({ ...request, choose });
    },
  })),
  broken('leases one at least of each webhook that is named', 'of the others none', (sound) => ({
    claimDueDeliveries(request) {
      const choose: ClaimRequest['choose'] = (waiting) =>
        new Map([...request.choose(waiting)].map(([webhookId, count]) => [webhookId, Math.max(count, 1)]));
      return sound.claimDueDeliveries({ ...request, choose });
    },
  })),
  broken('hands out one again where more is chosen than is due', 'leases what there is', (sound) => ({
    async claimDueDeliveries(request) {
      let chosen = 0;
      const choose: ClaimRequest['choose'] = (waiting) => {
        const counts = request.choose(waiting);
        chosen = [...counts.values()].reduce((sum, count) => sum + count, 0);
        return counts;
      };
      const claims = await sound.claimDueDeliveries({ ...request, choose });
      return claims.length < chosen ? [...claims, ...claims.slice(0, 1)] : claims;
    },
  })),
  broken('asks for a choice from nothing', 'asks for no choice', (sound) => ({
    async claimDueDeliveries(request) {
      const claims = await sound.claimDueDeliveries(request);
      if (claims.length === 0) request.choose([]);
      return claims;
    },
  })),
  broken('looks no further than the oldest', 'past thousands of older ones', (sound) => ({
    claimDueDeliveries: (request) =>
      sound.claimDueDeliveries({ ...request, choose: (waiting) => request.choose(waiting.slice(0, 1)) }),
  })),
  broken('looks at the same webhooks each time', 'to one of ⌈(w + 1) ÷ 256⌉ claims', (sound) => ({
    claimDueDeliveries: (request) =>
      sound.claimDueDeliveries({ ...request, choose: (waiting) => request.choose(waiting.slice(0, 10)) }),
  })),
  broken(
    'counts first attempts and retries of a webhook apart',
    'first attempts and retries together',
    (sound) => ({
      async claimDueDeliveries(request: ClaimRequest) {
        const claims = await sound.claimDueDeliveries(request);
        const more = await sound.claimDueDeliveries(request);
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
      const all = await sound.claimDueDeliveries({ ...request, choose: chooseEvenly(1_000), leaseMs: 0 });
      const inOrder = all.toSorted((a, b) => Number(a.attempt > 1) - Number(b.attempt > 1) || a.id - b.id);
      return inOrder.slice(0, request.limit);
    },
  })),
  broken(
    'says that the first of the ready queue has been due since its priority time',
    'a lost worker had leased',
    (sound) => ({
      async dueSummary(request) {
        const { oldestDueMs, ...summary } = await sound.dueSummary(request);
        return { ...summary, oldestDueMs: oldestDueMs && oldestDueMs - 60_000 };
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

/** The claim, given only some of the webhooks. */
function choosingFrom(request: ClaimRequest, isGiven: (webhook: WaitingWebhook) => boolean): ClaimRequest {
  return {
    ...request,
    choose(waiting) {
      const given = waiting.filter(isGiven);
      return given.length > 0 ? request.choose(given) : new Map();
    },
  };
}

import type { kyselyStorage } from '@acme/webhooks/kysely';
import type { AttemptRecord, ClaimedDelivery } from '../src/storage/delivery-requests.ts';

export type BenchStorage = ReturnType<typeof kyselyStorage>;

/** Writes a delivery of 1 KB to each of these webhooks. */
export async function dispatchTo(storage: BenchStorage, webhookIds: readonly number[]): Promise<void> {
  const createdAt = new Date().toISOString();
  const payload = JSON.stringify({ text: 'x'.repeat(1_000) });
  await storage.recordDispatches(
    webhookIds.map((webhookId) => ({ event: 'order.paid', payload, createdAt, target: { webhookId } })),
  );
}

/** Claims as many deliveries, one of each webhook. */
export async function claim(storage: BenchStorage, limit: number): Promise<ClaimedDelivery[]> {
  const now = Date.now();
  return await storage.claimDueDeliveries({
    now: now + 1_000,
    limit,
    leaseMs: 60_000,
    maxAttempts: 4,
    claimToken: `token-${now}`,
    isFromStart: true,
    choose: (waiting) => new Map(waiting.map(({ webhookId }) => [webhookId, 1])),
  });
}

/** A success for each. */
export function resultsOf(claims: readonly ClaimedDelivery[]): AttemptRecord[] {
  const now = Date.now();
  const said = { statusCode: 200, error: '', responseBody: 'ok' };
  return claims.map(({ id, claimToken, webhook: { activation }, attempt }) => ({
    ...{ id, claimToken, activation, now, retryInMs: 0, status: 'success', ...said },
    attemptLog: [{ attempt, startedAt: new Date(now).toISOString(), durationMs: 35, ...said }],
  }));
}

import { randomUUID } from 'node:crypto';
import { chooseEvenly } from '../../contract/storage/choose-evenly.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';

/** Records at most `limit` pending deliveries as failed, without making an attempt. */
export async function failPending(
  storage: Pick<WebhookStorage, 'claimDueDeliveries' | 'recordAttempts'>,
  limit: number,
  now = Date.now() + 1_000,
): Promise<void> {
  const claimToken = randomUUID();
  const claimed = await storage.claimDueDeliveries({
    now,
    limit,
    leaseMs: 1_000,
    maxAttempts: 20,
    claimToken,
    isFromStart: true,
    choose: chooseEvenly(limit),
  });
  await storage.recordAttempts(
    claimed.map(({ id, webhook: { activation } }) => ({
      id,
      claimToken,
      status: 'failed',
      statusCode: 0,
      responseBody: '',
      error: 'timeout',
      attemptLog: [],
      activation,
      now,
      retryInMs: 0,
    })),
    RESULT_RULES,
  );
}

import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';

/** Memory that asks nobody what time it is, as a database shared by several machines does. */
export function memoryByItsOwnClock(): WebhookStorage {
  const memory = memoryStorage();
  return {
    ...memory,
    claimDueDeliveries: (request) => memory.claimDueDeliveries({ ...request, now: Date.now() }),
    dueSummary: (request) => memory.dueSummary({ ...request, now: Date.now() }),
    reopenDeliveries: (request) => memory.reopenDeliveries({ ...request, now: Date.now() }),
    recordAttempts: (records, rules) =>
      memory.recordAttempts(
        records.map((record) => ({ ...record, now: Date.now() })),
        rules,
      ),
  };
}

import type { DispatchReceipt, DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

/** Storages that take a dispatch that is given again for another one than it is. */
export const brokenRetries: readonly BrokenStorage[] = [
  broken('writes a retry as if it were a first try', 'writes nothing for a retry', (sound) => ({
    recordDispatches: (dispatches) => sound.recordDispatches(dispatches.map(unnamed)),
  })),
  broken('looks for what a retry wrote among its targets alone', 'where no target is left', (sound) => ({
    async recordDispatches(dispatches) {
      const targets = await sound.recordDispatches(dispatches);
      const { webhooks } = await sound.listWebhooks({ limit: 100, offset: 0, sort: 'id', order: 'asc' });
      return webhooks.every(({ isActive }) => !isActive)
        ? targets.map(({ outcome }) => ({ deliveryIds: [], outcome }))
        : targets;
    },
  })),
  broken(
    "takes a retry's own key for another dispatch's",
    'knows the key of a retry for its own',
    (sound) => ({
      async recordDispatches(dispatches) {
        const receipts = await sound.recordDispatches(dispatches);
        return receipts.map((receipt, i) => {
          const { idempotencyKey, isRetry } = dispatches[i] ?? {};
          const isOwn = idempotencyKey !== undefined && isRetry === true;
          return isOwn ? { outcome: 'repeated', deliveryIds: [] } : receipt;
        });
      },
    }),
  ),
  broken('takes every key of a retry for its own', 'another dispatch brought it', (sound) => ({
    async recordDispatches(dispatches) {
      const receipts = await sound.recordDispatches(dispatches);
      return receipts.map((receipt, i) =>
        dispatches[i]?.isRetry === true ? { ...receipt, outcome: 'written' } : receipt,
      );
    },
  })),
  broken('takes whatever is a retry for written', 'what was never written', (sound) => ({
    async recordDispatches(dispatches) {
      const known = dispatches.filter(({ isRetry }) => isRetry !== true);
      const receipts = (await sound.recordDispatches(known)).values();
      return dispatches.map(
        ({ isRetry }) => (isRetry === true ? undefined : receipts.next().value) ?? NOTHING_WRITTEN,
      );
    },
  })),
];

const NOTHING_WRITTEN: DispatchReceipt = { outcome: 'written', deliveryIds: [] };

/** A dispatch that nobody recognises. */
export function unnamed({ id: _, isRetry: __, ...dispatch }: DispatchRecord): DispatchRecord {
  return dispatch;
}

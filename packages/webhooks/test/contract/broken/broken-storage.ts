import type {
  FailedQuery,
  ReopenedDelivery,
  ReopenReceipt,
  ReopenRequest,
} from '../../../src/storage/delivery-requests.ts';
import type { FoundDelivery } from '../../../src/storage/delivery-search.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import type { DeliveryStatus } from '../../../src/storage/records.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';

/** A storage that breaks one promise. */
export interface BrokenStorage {
  readonly fault: string;
  /** Part of the name of the case that is there to notice. */
  readonly noticedBy: string;
  create(): WebhookStorage;
}

/** `memoryStorage` with some of its methods broken. */
export function broken(
  fault: string,
  noticedBy: string,
  breakOne: (sound: WebhookStorage) => Partial<WebhookStorage>,
): BrokenStorage {
  return {
    fault,
    noticedBy,
    create() {
      const sound = memoryStorage();
      return { ...sound, ...breakOne(sound) };
    },
  };
}

/** The deliveries of a webhook, newest first. */
export async function historyOf(
  sound: WebhookStorage,
  webhookId: number,
  status?: DeliveryStatus,
): Promise<FoundDelivery[]> {
  const search = { webhookId, limit: 100, maxScanned: 5_000, ...(status && { status }) };
  return (await sound.findDeliveries(search)).deliveries;
}

type One = { readonly webhookId: number; readonly deliveryId: string };

/** `reopenDeliveries` with one of the things that it does broken. */
export function reopening(
  sound: WebhookStorage,
  {
    one,
    failed,
  }: {
    one?(target: One, request: ReopenRequest): Promise<ReopenReceipt>;
    failed?(query: FailedQuery, request: ReopenRequest): Promise<ReopenReceipt>;
  },
): Pick<WebhookStorage, 'reopenDeliveries'> {
  return {
    reopenDeliveries(request) {
      const { target } = request;
      if ('deliveryId' in target) return one?.(target, request) ?? sound.reopenDeliveries(request);
      return failed?.(target, request) ?? sound.reopenDeliveries(request);
    },
  };
}

/** Reopens these deliveries one by one, and answers as if they had been found by a query. */
export async function reopenEach(
  sound: WebhookStorage,
  deliveries: readonly (ReopenedDelivery & One)[],
  now: number,
): Promise<ReopenReceipt> {
  for (const { webhookId, deliveryId } of deliveries) {
    await sound.reopenDeliveries({ target: { webhookId, deliveryId }, now, limit: 1 });
  }
  const outcome = deliveries.length > 0 ? 'reopened' : 'none';
  return { outcome, deliveries, count: deliveries.length };
}

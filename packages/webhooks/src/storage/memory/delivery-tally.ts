import type { ActivityBucket, DeliveryCounts, DeliveryStatus } from '../records.ts';
import { compareText } from '../webhook-page.ts';

/** The retained deliveries of one webhook, counted as they come, change and go. */
export class DeliveryTally {
  readonly #total = noDeliveries();
  /** By {@link hourOf}; hours without any are left out. */
  readonly #hours = new Map<string, Record<DeliveryStatus, number>>();

  add(createdAt: string, status: DeliveryStatus): void {
    this.#count(createdAt, status, 1);
  }

  remove(createdAt: string, status: DeliveryStatus): void {
    this.#count(createdAt, status, -1);
  }

  counts(): DeliveryCounts {
    return { total: sum(this.#total), ...this.#total };
  }

  /** The hours of both moments and all between them, oldest first. */
  activity(from: string, to: string): ActivityBucket[] {
    const [first, last] = [hourOf(from), hourOf(to)];
    return [...this.#hours]
      .filter(([hour]) => hour >= first && hour <= last)
      .sort(([a], [b]) => compareText(a, b))
      .map(([hour, counts]) => ({ hour, ...counts }));
  }

  #count(createdAt: string, status: DeliveryStatus, change: 1 | -1): void {
    const hour = hourOf(createdAt);
    const counts = this.#hours.get(hour) ?? noDeliveries();
    counts[status] += change;
    this.#total[status] += change;
    if (sum(counts) === 0) this.#hours.delete(hour);
    else this.#hours.set(hour, counts);
  }
}

/** The first moment of a timestamp's hour. */
function hourOf(timestamp: string): string {
  return `${timestamp.slice(0, 'YYYY-MM-DDTHH'.length)}:00:00.000Z`;
}

function noDeliveries(): Record<DeliveryStatus, number> {
  return { success: 0, failed: 0, pending: 0 };
}

function sum({ success, failed, pending }: Record<DeliveryStatus, number>): number {
  return success + failed + pending;
}

import { WebhookError } from '../errors.ts';

/** An item, and the caller that waits until it is written. */
export interface WaitingWrite<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The items that wait to be written, in the order in which they came. */
export interface WaitingWrites<Entry> {
  length(): number;
  /** The size of all waiting items in sum. */
  size(): number;
  push(entry: Entry): void;
  /** Takes the first items; without a number, all. */
  take(count?: number): Entry[];
}

export function createWaitingWrites<Entry extends { readonly size: number }>(): WaitingWrites<Entry> {
  const entries: Entry[] = [];
  let size = 0;
  return {
    length: () => entries.length,
    size: () => size,
    push(entry) {
      entries.push(entry);
      size += entry.size;
    },
    take(count = entries.length) {
      const taken = entries.splice(0, count);
      for (const entry of taken) size -= entry.size;
      return taken;
    },
  };
}

/** How much may wait. */
export interface WaitingBounds {
  readonly maxWaitingItems: number;
  readonly maxWaitingSize: number;
}

/** Why one more item of that size may not wait; undefined where it may. */
export function refusal(
  { maxWaitingItems, maxWaitingSize }: WaitingBounds,
  size: number,
  waiting: Pick<WaitingWrites<never>, 'length' | 'size'>,
): WebhookError | undefined {
  const items = waiting.length();
  if (items < maxWaitingItems && waiting.size() + size <= maxWaitingSize) return undefined;
  return new WebhookError('overloaded', `${items} writes are waiting for the storage already`);
}

export function rejectAll(entries: readonly { reject(error: unknown): void }[], error: unknown): void {
  for (const entry of entries) entry.reject(error);
}

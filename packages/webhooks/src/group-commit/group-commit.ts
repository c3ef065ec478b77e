import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';
import { WebhookError } from '../errors.ts';
import { type BatchWindowBounds, createBatchWindow } from './batch-window.ts';

/** How much may wait: further items are refused beyond that number, or that size in sum. */
export interface WaitingBounds {
  readonly maxWaitingItems: number;
  readonly maxWaitingSize: number;
}

/** Options of {@link createGroupCommit}. */
export interface GroupCommitOptions<Item, Result> extends WaitingBounds {
  /**
   * Writes a group in one transaction; returns one result per item, in order.
   *
   * @param isRetry a commit with these items was tried before, and may have written them although
   *   it rejected
   */
  readonly commit: (items: readonly Item[], isRetry: boolean) => Promise<readonly Result[]>;
  /** The size of an item while it waits, in the unit of `maxWaitingSize`. */
  readonly sizeOf: (item: Item) => number;
  /**
   * The cost of writing an item, in the unit of `maxCostPerCommit`; known only once it is written.
   */
  readonly costOf: (item: Item, result: Result) => number;
  readonly maxItemsPerCommit: number;
  /**
   * The most that a commit may cost, estimated from the one before; a single item may exceed it.
   */
  readonly maxCostPerCommit: number;
  /**
   * Waits before the first group, for writes whose callers do not wait: until there are this many
   * items or this time is over. Other work that they have set in motion begins before they are
   * written. Default: no wait.
   */
  readonly batchWindow?: BatchWindowBounds | undefined;
}

/** Combines many small concurrent writes into few large ones. */
export interface GroupCommit<Item, Result> {
  /**
   * Resolves with the item's result once its group is written.
   *
   * @throws WebhookError `overloaded` when too much is waiting already; any error that `commit`
   *   rejects with
   */
  add(item: Item): Promise<Result>;
  /** Resolves when no item is waiting or being written. */
  idle(): Promise<void>;
  /**
   * Rejects every item that is waiting or being written, and all that are added from now on.
   * Waiting items are not written any more. Irreversible.
   */
  abandon(error: unknown): void;
}

/** An item, and the caller that waits until it is written. */
interface Entry<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The first group is this small, and each may have twice the items of the one before, so that a
 * burst does not begin with a commit of unknown cost.
 */
const FIRST_GROUP_ITEMS = 32;
/** This many single items that fail in a row are not the items' fault. */
const MAX_FAILURES_IN_A_ROW = 3;

/**
 * Groups writes without delaying any (but see `batchWindow`): one commit runs at a time, and the
 * items that arrive meanwhile are the next group. An idle engine therefore commits single items at
 * once. A busy one commits hundreds per transaction. How large the next group may be follows from
 * the cost of the last one.
 *
 * A group that fails is committed once more, even if it has one item: a connection may have
 * broken. If that fails too, its items are committed one by one, so that one item's failure is not
 * another's. When three items fail one after another, the storage is away: every waiting item is
 * then refused with the same error, instead of trying each.
 */
export function createGroupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  type Entries = readonly Entry<Item, Result>[];
  const waiting = createWaiting<Entry<Item, Result>>();
  /** The group that is being written. */
  let writing: Entries = [];
  const groupSize = createGroupSize(options);
  let running: Promise<void> | undefined;
  let abandoned: { readonly error: unknown } | undefined;
  const batchWindow = options.batchWindow && createBatchWindow(waiting.length);

  async function write(entries: Entries, isRetry: boolean): Promise<void> {
    const results = await options.commit(
      entries.map(({ item }) => item),
      isRetry,
    );
    groupSize.fit(entries.length, resolveAll(entries, results, options.costOf));
  }

  /** Never rejects. */
  async function writeGroup(entries: Entries): Promise<void> {
    try {
      await write(entries, false);
    } catch {
      if (abandoned === undefined) await writeAgain(entries);
    }
  }

  /**
   * As a whole, then item by item. A small group goes item by item at once, which takes no longer.
   */
  async function writeAgain(entries: Entries): Promise<void> {
    let failuresInARow = 0;
    if (entries.length > MAX_FAILURES_IN_A_ROW) {
      try {
        await write(entries, true);
        return;
      } catch {
        failuresInARow = 1;
      }
    }
    for (const [index, entry] of entries.entries()) {
      if (abandoned !== undefined) return;
      try {
        await write([entry], true);
        failuresInARow = 0;
      } catch (error) {
        entry.reject(error);
        failuresInARow += 1;
        if (failuresInARow < MAX_FAILURES_IN_A_ROW) continue;
        rejectAll([...entries.slice(index + 1), ...waiting.take()], error);
        return;
      }
    }
  }

  async function run(): Promise<void> {
    // Items added in the current turn of the event loop join the first group.
    await Promise.resolve();
    if (options.batchWindow !== undefined) await batchWindow?.wait(options.batchWindow);
    while (waiting.length() > 0) {
      writing = waiting.take(groupSize.next());
      await writeGroup(writing);
    }
    writing = [];
    running = undefined;
  }

  // A group has items of several callers: it runs in the asynchronous context of no caller.
  const runInOwnContext = outsideRequests.bind(run);

  return {
    add(item) {
      if (abandoned !== undefined) return Promise.reject(abandoned.error);
      const size = options.sizeOf(item);
      const refused = refusal(options, size, waiting.length(), waiting.size());
      if (refused !== undefined) return Promise.reject(refused);
      return new Promise((resolve, reject) => {
        waiting.push({ item, size, resolve, reject });
        running ??= runInOwnContext();
        batchWindow?.added();
      });
    },
    async idle() {
      while (running !== undefined) await running;
    },
    abandon(error) {
      abandoned = { error };
      rejectAll([...writing, ...waiting.take()], error);
    },
  };
}

/** The items that wait, in the order in which they came. */
function createWaiting<Waiting extends { readonly size: number }>() {
  const entries: Waiting[] = [];
  let size = 0;
  return {
    length: () => entries.length,
    size: () => size,
    push(entry: Waiting): void {
      entries.push(entry);
      size += entry.size;
    },
    /** Takes the first entries; without a number, all. */
    take(count = entries.length): Waiting[] {
      const taken = entries.splice(0, count);
      for (const entry of taken) size -= entry.size;
      return taken;
    },
  };
}

/** Why one more item of that size may not wait; undefined if it may. */
export function refusal(
  { maxWaitingItems, maxWaitingSize }: WaitingBounds,
  size: number,
  waitingItems: number,
  waitingSize: number,
): WebhookError | undefined {
  if (waitingItems < maxWaitingItems && waitingSize + size <= maxWaitingSize) return undefined;
  return new WebhookError('overloaded', `${waitingItems} writes are waiting for the storage already`);
}

function rejectAll(entries: readonly { reject(error: unknown): void }[], error: unknown): void {
  for (const entry of entries) entry.reject(error);
}

/** The number of items that the next group may have. */
function createGroupSize({
  maxItemsPerCommit,
  maxCostPerCommit,
}: Pick<GroupCommitOptions<never, never>, 'maxItemsPerCommit' | 'maxCostPerCommit'>) {
  let next = Math.min(FIRST_GROUP_ITEMS, maxItemsPerCommit);
  return {
    next: () => next,
    /** Adapts to items that were written, and to their cost in sum. */
    fit(items: number, cost: number): void {
      const affordable = Math.floor((maxCostPerCommit * items) / Math.max(cost, 1));
      next = Math.max(1, Math.min(affordable, 2 * next, maxItemsPerCommit));
    },
  };
}

/** Returns the cost of the items in sum. */
function resolveAll<Item, Result>(
  entries: readonly Entry<Item, Result>[],
  results: readonly Result[],
  costOf: (item: Item, result: Result) => number,
): number {
  if (results.length !== entries.length) {
    throw new RangeError(`a commit of ${entries.length} items answered ${results.length} results`);
  }
  let cost = 0;
  for (const [index, result] of results.entries()) {
    const entry = entries[index];
    if (entry === undefined) break;
    cost += costOf(entry.item, result);
    entry.resolve(result);
  }
  return cost;
}

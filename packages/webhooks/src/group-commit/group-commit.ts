import { AsyncResource } from 'node:async_hooks';
import { type BatchWindowBounds, createBatchWindow } from './batch-window.ts';
import { commitWhole, type GroupContext } from './commit-whole.ts';
import { type Contention, createContendedWrites } from './contended-writes.ts';
import { createWaitingWrites, refusal, rejectAll, type WaitingWrite } from './waiting-writes.ts';

/** Options of {@link createGroupCommit}. */
export interface GroupCommitOptions<Item, Result> {
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
   * Further items are refused beyond this number, or this total size, of waiting items. Contended
   * items have the same bounds once more.
   */
  readonly maxWaitingItems: number;
  readonly maxWaitingSize: number;
  /**
   * Tells errors that mean a lock of another transaction from those that mean the storage is away.
   * A group that meets contention is written in halves, and without the items that need the lock.
   * Default: no error is contention.
   */
  readonly contention?: Contention<Item> | undefined;
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

/**
 * The first group is this small, and each may have twice the items of the one before, so that a
 * burst does not begin with a commit of unknown cost.
 */
const FIRST_GROUP_ITEMS = 32;

/**
 * Groups writes without delaying any (but see `batchWindow`): one commit runs at a time, and the
 * items that arrive meanwhile are the next group. An idle engine so commits single items at once, a
 * busy one commits hundreds per transaction. How large the next group may be follows from the cost
 * of the last one.
 *
 * A group that fails is committed once more, as a connection may have broken, and then in parts, so
 * that one item's failure is not another's. When items fail one after another, the storage is away:
 * every waiting item is then refused with the same error, instead of trying each.
 *
 * Contention is neither: a group that met it is halved until an item is left by itself. Items that
 * need the same scope as that item wait beside the groups from then on, also those added later.
 * They join the groups again once the item is written: a lock of another transaction holds up no
 * group twice.
 */
export function createGroupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  type Entry = WaitingWrite<Item, Result>;
  const waiting = createWaitingWrites<Entry>();
  /** The group that is being written. */
  let writing: readonly Entry[] = [];
  const groupSize = createGroupSize(options);
  let running: Promise<void> | undefined;
  let abandoned: { readonly error: unknown } | undefined;
  const batchWindow = createBatchWindow(waiting.length);
  const contended = createContendedWrites<Item, Result>({
    ...options,
    contention: options.contention,
    write: (entry) => write([entry], true),
    onFreed: begin,
  });

  async function write(entries: readonly Entry[], isRetry: boolean): Promise<void> {
    const results = await options.commit(itemsOf(entries), isRetry);
    groupSize.fit(entries.length, resolveAll(entries, results, options.costOf));
  }

  const commitQueue: GroupContext<Item, Result> = {
    contention: options.contention,
    contended,
    write,
    isAbandoned: () => abandoned !== undefined,
    refuseWaiting: (error) => rejectAll([...waiting.take(), ...contended.freed.take()], error),
  };

  function begin(): void {
    running ??= runInOwnContext();
  }

  // A group has items of several callers: it belongs to the asynchronous context of none of them.
  const runInOwnContext = AsyncResource.bind(run);

  async function run(): Promise<void> {
    // Items added in the current turn of the event loop join the first group.
    await Promise.resolve();
    if (options.batchWindow !== undefined) await batchWindow.wait(options.batchWindow);
    while (waiting.length() + contended.freed.length() > 0) {
      // Alternately: many items that were freed at once delay each group of the others by one of
      // theirs.
      for (const next of [contended.freed, waiting]) {
        writing = next.take(groupSize.next());
        const isRetry = next !== waiting;
        if (writing.length > 0) await commitWhole({ entries: writing, isRetry }, commitQueue);
      }
    }
    writing = [];
    running = undefined;
  }

  return {
    add(item) {
      if (abandoned !== undefined) return Promise.reject(abandoned.error);
      const size = options.sizeOf(item);
      return new Promise((resolve, reject) => {
        const entry = { item, size, addedAt: performance.now(), resolve, reject };
        if (contended.takeFrom([entry]).length === 0) return;
        const refused = refusal(options, size, [waiting]);
        if (refused !== undefined) return reject(refused);
        waiting.push(entry);
        begin();
        batchWindow.added();
      });
    },
    async idle() {
      const busy = () => running ?? contended.retrying();
      for (let work = busy(); work !== undefined; work = busy()) await work;
    },
    abandon(error) {
      abandoned = { error };
      rejectAll([...writing, ...waiting.take()], error);
      contended.abandon(error);
    },
  };
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

function itemsOf<Item>(entries: readonly { readonly item: Item }[]): Item[] {
  return entries.map(({ item }) => item);
}

/** Returns the cost of the items in sum. */
function resolveAll<Item, Result>(
  entries: readonly WaitingWrite<Item, Result>[],
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

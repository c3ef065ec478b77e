import { setImmediate as nextTurn } from 'node:timers/promises';
import { createApart, type Waiting } from './commit-apart.ts';
import { WebhookError } from './errors.ts';

/** How a {@link createGroupCommit} groups. */
export interface GroupCommitOptions<Item, Result> {
  /**
   * Writes a group in one go; answers one result per item, in order.
   *
   * @param isRetry a commit with these items was tried before, and may have written them although it rejected
   */
  readonly commit: (items: readonly Item[], isRetry: boolean) => Promise<readonly Result[]>;
  /** What an item takes while it waits, in the unit of `maxWaitingSize`. */
  readonly sizeOf: (item: Item) => number;
  /** What writing an item came to, in the unit of `maxCostPerCommit`; known only once it is written. */
  readonly costOf: (item: Item, result: Result) => number;
  readonly maxItemsPerCommit: number;
  /** What a commit may come to, judged by the one before; a single item may exceed it. */
  readonly maxCostPerCommit: number;
  /** Items that are not written yet: beyond this number, or beyond this size in sum, others are refused. */
  readonly maxWaitingItems: number;
  readonly maxWaitingSize: number;
  /**
   * Errors that say that others were in the way of some item, and not that the storage is away: the group is then
   * written in halves, and an item that is left by itself, apart from the groups. Default: there are none.
   */
  readonly contention?:
    | {
        isContention(error: unknown): boolean;
        /** Writes an item that met contention, which takes its time; as a retry. */
        commitApart(item: Item): Promise<Result>;
      }
    | undefined;
  /**
   * Waits before the first group, for writes that nobody waits for: until this many items are there or this time is
   * over. Whatever else they have set in motion begins before they are written. Default: not at all.
   */
  readonly gather?: { readonly items: number; readonly withinMs: number } | undefined;
}

/** Many small writes of one moment as few large ones. */
export interface GroupCommit<Item, Result> {
  /**
   * Resolves with the item's result once its group is written.
   *
   * @throws WebhookError `overloaded` when too much is waiting already; whatever `commit` rejects with
   */
  add(item: Item): Promise<Result>;
  /** Resolves when nothing is waiting or being written. */
  idle(): Promise<void>;
  /**
   * Rejects whatever is waiting or being written, and all that is added from now on; what waits is not written any more. For
   * good.
   */
  abandon(error: unknown): void;
}

/** The first group is this small, and each may have twice the items of the one before: a burst is felt out. */
const FIRST_GROUP_ITEMS = 32;
/** So many single failures in a row are not the items' fault. */
const MAX_FAILURES_IN_A_ROW = 3;
/** One in which others find out that it is their turn, and one in which they begin. */
const TURNS_FOR_OTHERS = 2;

/**
 * Groups writes without delaying any (but see `gather`): one commit runs at a time, and what arrives meanwhile is the
 * next group. An idle engine so commits single items at once, a busy one commits hundreds per transaction. How large
 * the next group may be follows from what the last one cost.
 *
 * A group that fails is committed again item by item, so that one item's failure is not another's. When items fail
 * one after another, the storage is away: everything that waits is then refused with the same error, instead of
 * asking once per item. Contention is neither: a group that met it is halved until the items that others are in the way
 * of are by themselves; those are written beside the groups, a few at once, and hold up no group.
 */
export function createGroupCommit<Item, Result>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  type Entry = Waiting<Item, Result>;
  const waiting: Entry[] = [];
  const unanswered = createUnanswered<Item, Result>(options);
  let nextItems = Math.min(FIRST_GROUP_ITEMS, options.maxItemsPerCommit);
  let running: Promise<void> | undefined;
  let abandoned: { readonly error: unknown } | undefined;
  const gathering = createGathering(() => waiting.length);
  const apart = createApart<Item, Result>();

  async function commit({ entries, isRetry }: Part<Entry>): Promise<void> {
    const items = entries.map(({ item }) => item);
    const results = await options.commit(items, isRetry);
    if (results.length !== items.length) {
      throw new RangeError(`a commit of ${items.length} items answered ${results.length} results`);
    }
    let cost = 0;
    for (const [index, result] of results.entries()) {
      const entry = entries[index];
      if (entry === undefined) break;
      cost += options.costOf(entry.item, result);
      entry.resolve(result);
    }
    const affordable = Math.floor((options.maxCostPerCommit * items.length) / Math.max(cost, 1));
    nextItems = Math.max(1, Math.min(affordable, 2 * nextItems, options.maxItemsPerCommit));
  }

  async function commitWhole(group: readonly Entry[]): Promise<void> {
    const parts: Part<Entry>[] = [{ entries: group, isRetry: false }];
    let failuresInARow = 0;
    for (let part = parts.shift(); part !== undefined && !abandoned; part = parts.shift()) {
      try {
        await commit(part);
        failuresInARow = 0;
      } catch (error) {
        const [first, ...more] = part.entries;
        const contention = options.contention?.isContention(error) ? options.contention : undefined;
        if (more.length > 0) {
          const smaller = contention ? halvesOf(part.entries) : part.entries.map((entry) => [entry]);
          parts.unshift(...smaller.map((entries) => ({ entries, isRetry: true })));
        } else if (first && contention) {
          apart.write(first, contention.commitApart, error);
        } else {
          first?.reject(error);
          failuresInARow += 1;
        }
        if (failuresInARow === MAX_FAILURES_IN_A_ROW) {
          const others = parts.splice(0).flatMap(({ entries }) => entries);
          for (const { reject } of [...others, ...waiting.splice(0)]) reject(error);
        }
      }
    }
  }

  async function run(): Promise<void> {
    // Whatever is added in the current turn of the event loop joins the first group.
    await Promise.resolve();
    if (options.gather !== undefined) await gathering.wait(options.gather);
    while (waiting.length > 0) await commitWhole(waiting.splice(0, nextItems));
    running = undefined;
  }

  return {
    add(item) {
      if (abandoned !== undefined) return Promise.reject(abandoned.error);
      return unanswered.add(item, (entry) => {
        waiting.push(entry);
        running ??= run();
        gathering.added();
      });
    },
    async idle() {
      while (running !== undefined) await running;
      await apart.idle();
    },
    abandon(error) {
      abandoned = { error };
      waiting.length = 0;
      apart.abandon();
      unanswered.rejectAll(error);
    },
  };
}

/** A group, or what is left of one. */
interface Part<Entry> {
  readonly entries: readonly Entry[];
  readonly isRetry: boolean;
}

/** What was added and neither written nor refused yet. */
interface Unanswered<Item, Result> {
  /** Rejects with `overloaded` where there is too much already. */
  add(item: Item, onEntry: (entry: Waiting<Item, Result>) => void): Promise<Result>;
  rejectAll(error: unknown): void;
}

function createUnanswered<Item, Result>({
  sizeOf,
  maxWaitingItems,
  maxWaitingSize,
}: Pick<GroupCommitOptions<Item, Result>, 'sizeOf' | 'maxWaitingItems' | 'maxWaitingSize'>): Unanswered<
  Item,
  Result
> {
  const entries = new Set<Waiting<Item, Result>>();
  let totalSize = 0;
  return {
    add(item, onEntry) {
      const size = sizeOf(item);
      if (entries.size >= maxWaitingItems || totalSize + size > maxWaitingSize) {
        return Promise.reject(
          new WebhookError('overloaded', `${entries.size} writes are waiting for the storage already`),
        );
      }
      return new Promise((resolve, reject) => {
        const answer = <Value>(settle: (value: Value) => void) => {
          return (value: Value) => {
            if (entries.delete(entry)) totalSize -= size;
            settle(value);
          };
        };
        const entry: Waiting<Item, Result> = { item, resolve: answer(resolve), reject: answer(reject) };
        entries.add(entry);
        totalSize += size;
        onEntry(entry);
      });
    },
    rejectAll(error) {
      for (const { reject } of [...entries]) reject(error);
    },
  };
}

function halvesOf<Entry>(group: readonly Entry[]): (readonly Entry[])[] {
  const half = Math.ceil(group.length / 2);
  return [group.slice(0, half), group.slice(half)];
}

type Gather = NonNullable<GroupCommitOptions<never, never>['gather']>;

interface Gathering {
  /** Waits until enough has been added or the time is over. */
  wait(gather: Gather): Promise<void>;
  added(): void;
}

function createGathering(waiting: () => number): Gathering {
  let onAdded: (() => void) | undefined;
  return {
    added: () => onAdded?.(),
    async wait({ items, withinMs }) {
      if (waiting() < items) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          timer = setTimeout(resolve, withinMs);
          onAdded = () => {
            if (waiting() >= items) resolve();
          };
        });
        clearTimeout(timer);
        onAdded = undefined;
      }
      for (let turns = 0; turns < TURNS_FOR_OTHERS; turns++) await nextTurn();
    },
  };
}

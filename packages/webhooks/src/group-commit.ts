import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Apart, createApart, type Waiting } from './commit-apart.ts';
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
  /** Items that wait beyond this number, or beyond this size in sum, are refused; those that wait apart count as well. */
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
  const waiting = createLine<Entry>();
  /** The group that is being written. */
  let writing: readonly Entry[] = [];
  let nextItems = Math.min(FIRST_GROUP_ITEMS, options.maxItemsPerCommit);
  let running: Promise<void> | undefined;
  let abandoned: { readonly error: unknown } | undefined;
  const gathering = createGathering(waiting.length);
  const apart = createApart<Item, Result>();

  async function commit({ entries, isRetry }: Part<Entry>): Promise<void> {
    const results = await options.commit(itemsOf(entries), isRetry);
    assertOneEach(entries, results);
    let cost = 0;
    for (const [index, result] of results.entries()) {
      const entry = entries[index];
      if (entry === undefined) break;
      cost += options.costOf(entry.item, result);
      entry.resolve(result);
    }
    const affordable = Math.floor((options.maxCostPerCommit * entries.length) / Math.max(cost, 1));
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
          parts.unshift(...(contention ? halvesOf(part) : singlesOf(part)));
        } else if (first && contention && !abandoned) {
          apart.write(first, contention.commitApart, error);
        } else {
          first?.reject(error);
          failuresInARow += 1;
        }
        if (failuresInARow === MAX_FAILURES_IN_A_ROW) {
          const others = parts.splice(0).flatMap(({ entries }) => entries);
          rejectAll([...others, ...waiting.take()], error);
        }
      }
    }
  }

  async function run(): Promise<void> {
    // Whatever is added in the current turn of the event loop joins the first group.
    await Promise.resolve();
    if (options.gather !== undefined) await gathering.wait(options.gather);
    while (waiting.length() > 0) {
      writing = waiting.take(nextItems);
      await commitWhole(writing);
    }
    writing = [];
    running = undefined;
  }

  return {
    add(item) {
      if (abandoned !== undefined) return Promise.reject(abandoned.error);
      const size = options.sizeOf(item);
      if (isFull(options, size, waiting, apart)) return Promise.reject(overloaded(waiting.length()));
      return new Promise((resolve, reject) => {
        waiting.push({ item, size, resolve, reject });
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
      rejectAll([...writing, ...waiting.take()], error);
      apart.abandon(error);
    },
  };
}

/** What waits for its group, in the order in which it was added. */
interface Line<Entry> {
  length(): number;
  /** Of all that waits, in sum. */
  size(): number;
  push(entry: Entry): void;
  /** Takes the first ones; without a number, all. */
  take(count?: number): Entry[];
}

function createLine<Entry extends { readonly size: number }>(): Line<Entry> {
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

function isFull(
  {
    maxWaitingItems,
    maxWaitingSize,
  }: Pick<GroupCommitOptions<never, never>, 'maxWaitingItems' | 'maxWaitingSize'>,
  size: number,
  line: Pick<Line<never>, 'length' | 'size'>,
  apart: Pick<Apart<never, never>, 'waitingItems' | 'waitingSize'>,
): boolean {
  if (line.length() + apart.waitingItems() >= maxWaitingItems) return true;
  return line.size() + apart.waitingSize() + size > maxWaitingSize;
}

function itemsOf<Item>(entries: readonly { readonly item: Item }[]): Item[] {
  return entries.map(({ item }) => item);
}

function assertOneEach(items: readonly unknown[], results: readonly unknown[]): void {
  if (results.length === items.length) return;
  throw new RangeError(`a commit of ${items.length} items answered ${results.length} results`);
}

function overloaded(waiting: number): WebhookError {
  return new WebhookError('overloaded', `${waiting} writes are waiting for the storage already`);
}

/** A group, or what is left of one. */
interface Part<Entry> {
  readonly entries: readonly Entry[];
  readonly isRetry: boolean;
}

function halvesOf<Entry>({ entries }: Part<Entry>): Part<Entry>[] {
  const half = Math.ceil(entries.length / 2);
  return [entries.slice(0, half), entries.slice(half)].map(retry);
}

function singlesOf<Entry>({ entries }: Part<Entry>): Part<Entry>[] {
  return entries.map((entry) => retry([entry]));
}

function retry<Entry>(entries: readonly Entry[]): Part<Entry> {
  return { entries, isRetry: true };
}

function rejectAll(entries: readonly { reject(error: unknown): void }[], error: unknown): void {
  for (const entry of entries) entry.reject(error);
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

import type { ContendedWrites, Contention } from './contended-writes.ts';
import { rejectAll, type WaitingWrite } from './waiting-writes.ts';

/** A group, or the rest of one. */
export interface Part<Entry> {
  readonly entries: readonly Entry[];
  readonly isRetry: boolean;
  /** The whole group, which has failed once. */
  readonly isRepeated?: boolean;
}

/** What writing a group needs. */
export interface GroupContext<Item, Result> {
  readonly contention: Contention<Item> | undefined;
  readonly contended: Pick<ContendedWrites<Item, Result>, 'add' | 'takeFrom'>;
  write(entries: readonly WaitingWrite<Item, Result>[], isRetry: boolean): Promise<void>;
  isAbandoned(): boolean;
  refuseWaiting(error: unknown): void;
}

/** This many single failures in a row are not the items' fault. A repeated group counts as one. */
const MAX_FAILURES_IN_A_ROW = 3;
/**
 * After this many parts in a row that failed, single items show whether the storage is away: halves
 * alone would take nine commits to get to one.
 */
const MAX_PARTS_IN_A_ROW = 2;

/**
 * Writes a group; once more where it fails, since most often a connection broke and nothing is
 * wrong with an item; and then in ever smaller parts, in order. Never rejects.
 */
export async function commitWhole<Item, Result>(
  group: Part<WaitingWrite<Item, Result>>,
  { contention, contended, write, isAbandoned, refuseWaiting }: GroupContext<Item, Result>,
): Promise<void> {
  const parts = [group];
  let [failuresInARow, partsInARow] = [0, 0];
  for (let part = parts.shift(); part !== undefined && !isAbandoned(); part = parts.shift()) {
    const entries = contended.takeFrom(part.entries);
    const [first, ...more] = entries;
    if (first === undefined) continue;
    try {
      await write(entries, part.isRetry);
      [failuresInARow, partsInARow] = [0, 0];
    } catch (error) {
      const scope = contention?.scopeOf(error, first.item);
      if (scope !== undefined) {
        if (more.length > 0) parts.unshift(...halvesOf(entries));
        else contended.add(scope, first, error);
      } else if (more.length > 0) {
        partsInARow += 1;
        if (part.isRepeated) failuresInARow += 1;
        parts.unshift(...(part === group ? repeatOf(entries) : smallerParts(entries, partsInARow)));
      } else {
        first.reject(error);
        failuresInARow += 1;
      }
      if (failuresInARow === MAX_FAILURES_IN_A_ROW) {
        for (const { entries } of parts.splice(0)) rejectAll(entries, error);
        refuseWaiting(error);
      }
    }
  }
}

/** The group as a whole; a small one as single items, which takes no longer. */
function repeatOf<Entry>(entries: readonly Entry[]): Part<Entry>[] {
  if (entries.length <= MAX_FAILURES_IN_A_ROW) return singlesOf(entries);
  return [{ entries, isRetry: true, isRepeated: true }];
}

/** Halves; after some that failed one after another, single items come before these. */
function smallerParts<Entry>(entries: readonly Entry[], partsInARow: number): Part<Entry>[] {
  const singles = partsInARow % MAX_PARTS_IN_A_ROW === 0 ? MAX_FAILURES_IN_A_ROW : 0;
  return [...singlesOf(entries.slice(0, singles)), ...halvesOf(entries.slice(singles))];
}

function halvesOf<Entry>(entries: readonly Entry[]): Part<Entry>[] {
  const half = Math.ceil(entries.length / 2);
  return [entries.slice(0, half), entries.slice(half)].map(retry);
}

function singlesOf<Entry>(entries: readonly Entry[]): Part<Entry>[] {
  return entries.map((entry) => retry([entry]));
}

function retry<Entry>(entries: readonly Entry[]): Part<Entry> {
  return { entries, isRetry: true };
}

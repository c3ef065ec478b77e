import { AsyncResource } from 'node:async_hooks';
import {
  createWaitingWrites,
  refusal,
  rejectAll,
  type WaitingBounds,
  type WaitingWrite,
  type WaitingWrites,
} from './waiting-writes.ts';

/** The resources that other transactions may have locked, each under a name: its scope. */
export interface Contention<Item> {
  /**
   * The scope that was locked when a commit of this item by itself failed. Undefined where the
   * error is no contention. For a commit of several items, the caller only checks whether there is
   * a scope.
   */
  scopeOf(error: unknown, item: Item): string | undefined;
  /** The scopes that an item needs. */
  scopesOf(item: Item): readonly string[];
}

/**
 * The writes that a group commit leaves out of its groups, because another transaction has locked
 * what they need.
 */
export interface ContendedWrites<Item, Result> {
  /**
   * Lets an item wait that met contention, with that error; rejects it with `overloaded` where too
   * much waits.
   */
  add(scope: string, entry: WaitingWrite<Item, Result>, error: unknown): void;
  /** Adds the items whose scope is known to be locked, and returns the others. */
  takeFrom(entries: readonly WaitingWrite<Item, Result>[]): readonly WaitingWrite<Item, Result>[];
  /** Items whose scope is free again: to be written in groups, as a retry. */
  readonly freed: WaitingWrites<WaitingWrite<Item, Result>>;
  /** Settles when no item waits for a lock any more; undefined when none does. */
  retrying(): Promise<void> | undefined;
  /** Rejects the items that wait, and writes neither these nor any added from now on. */
  abandon(error: unknown): void;
}

/**
 * Longer than most transactions last, and short enough that the items waiting for one that stays
 * open stay few.
 */
const MAX_WAIT_MS = 10_000;
/** Scopes tried at once, each on a connection: more would take up a pool. */
const MAX_RETRIES_AT_ONCE = 4;
/**
 * The pause between two tries of a scope: a freed scope is found soon, and one that stays locked
 * costs at most 80 short transactions a second.
 */
const RETRY_PAUSE_MS = 50;
/**
 * How often items that have waited too long are rejected: a round of tries takes long where much is
 * locked.
 */
const GIVE_UP_INTERVAL_MS = 250;
/**
 * Scopes that are remembered although every item in them was rejected; the oldest is forgotten
 * first.
 */
const MAX_REMEMBERED = 1_000;

/**
 * Remembers a locked scope until an item that needs it is written. The first item of each scope is
 * tried again and again; once it is written, all others are freed. An item that was added 10 s ago
 * is rejected with the error of the last try.
 */
export function createContendedWrites<Item, Result>({
  write,
  contention,
  onFreed,
  ...bounds
}: WaitingBounds & {
  /** Writes one item, as a retry, and resolves it. */
  readonly write: (entry: WaitingWrite<Item, Result>) => Promise<void>;
  readonly contention: Contention<Item> | undefined;
  readonly onFreed: () => void;
}): ContendedWrites<Item, Result> {
  type Entry = WaitingWrite<Item, Result>;
  const scopes = createScopes<Entry>();
  const freed = createWaitingWrites<Entry>();
  const trying = new Set<Entry>();
  let retrying: Promise<void> | undefined;
  let isAbandoned = false;

  function add(scope: string, entry: Entry, error: unknown): void {
    if (isAbandoned) return;
    const refused = refusal(bounds, entry.size, [scopes, freed]);
    if (refused !== undefined) {
      entry.reject(refused);
      return;
    }
    scopes.push(scope, entry, error);
    retrying ??= retryInOwnContext();
  }

  // The tries serve every caller that waits: they belong to the asynchronous context of none.
  const retryInOwnContext = AsyncResource.bind(retryAll);

  async function retryAll(): Promise<void> {
    const givingUp = setInterval(() => giveUp(scopes, trying), GIVE_UP_INTERVAL_MS);
    while (scopes.length() > 0) {
      const round = scopes.names().values();
      await Promise.all(Array.from({ length: MAX_RETRIES_AT_ONCE }, () => retryEach(round)));
    }
    clearInterval(givingUp);
    retrying = undefined;
  }

  async function retryEach(round: Iterable<string>): Promise<void> {
    for (const scope of round) {
      if (!(await isFreed(scope))) await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    }
  }

  async function isFreed(scope: string): Promise<boolean> {
    const first = scopes.first(scope);
    if (first === undefined) return true;
    trying.add(first);
    const met = await write(first).then(
      () => undefined,
      (error: unknown) => {
        const other = contention?.scopeOf(error, first.item);
        if (other === undefined) first.reject(error);
        return other === undefined ? undefined : { scope: other, error };
      },
    );
    trying.delete(first);
    if (met?.scope === scope) {
      scopes.remember(scope, met.error);
      return false;
    }
    for (const entry of scopes.takeAll(scope)) {
      if (entry !== first) freed.push(entry);
      else if (met !== undefined) add(met.scope, first, met.error);
    }
    if (freed.length() > 0) onFreed();
    return true;
  }

  return {
    add,
    takeFrom(entries) {
      if (scopes.isEmpty()) return entries;
      return entries.filter((entry) => {
        const scope = contention?.scopesOf(entry.item).find(scopes.has);
        if (scope !== undefined) add(scope, entry, scopes.errorOf(scope));
        return scope === undefined;
      });
    },
    freed,
    retrying: () => retrying,
    abandon(error) {
      isAbandoned = true;
      for (const scope of scopes.names()) rejectAll(scopes.takeAll(scope), error);
      rejectAll(freed.take(), error);
    },
  };
}

/** Rejects the items that have waited too long and are not being tried. */
function giveUp<Item, Result>(
  scopes: Scopes<WaitingWrite<Item, Result>>,
  trying: ReadonlySet<WaitingWrite<Item, Result>>,
): void {
  const oldest = performance.now() - MAX_WAIT_MS;
  for (const scope of scopes.names()) {
    const error = scopes.errorOf(scope);
    for (const entry of scopes.takeAll(scope)) {
      if (entry.addedAt > oldest || trying.has(entry)) scopes.push(scope, entry, error);
      else entry.reject(error);
    }
    scopes.remember(scope, error);
  }
}

/** The waiting items, by scope. */
interface Scopes<Entry> extends Pick<WaitingWrites<Entry>, 'length' | 'size'> {
  /** Scopes in which items wait, in the order in which they came. */
  names(): string[];
  /** Whether the scope is known, also where no item waits in it. */
  has(scope: string): boolean;
  /** Whether no scope is known. */
  isEmpty(): boolean;
  first(scope: string): Entry | undefined;
  /** The last error there. */
  errorOf(scope: string): unknown;
  push(scope: string, entry: Entry, error: unknown): void;
  /** Takes the items, and forgets the scope. */
  takeAll(scope: string): Entry[];
  /** Keeps the scope known although no item may wait in it, until others have taken its place. */
  remember(scope: string, error: unknown): void;
}

function createScopes<Entry extends { readonly size: number }>(): Scopes<Entry> {
  const waiting = new Map<string, Entry[]>();
  const errors = new Map<string, unknown>();
  let length = 0;
  let size = 0;
  return {
    length: () => length,
    size: () => size,
    names: () => [...waiting.keys()],
    has: (scope) => errors.has(scope),
    isEmpty: () => errors.size === 0,
    first: (scope) => waiting.get(scope)?.[0],
    errorOf: (scope) => errors.get(scope),
    push(scope, entry, error) {
      const entries = waiting.get(scope);
      if (entries === undefined) waiting.set(scope, [entry]);
      else entries.push(entry);
      errors.set(scope, error);
      length += 1;
      size += entry.size;
    },
    takeAll(scope) {
      const entries = waiting.get(scope) ?? [];
      waiting.delete(scope);
      errors.delete(scope);
      length -= entries.length;
      for (const entry of entries) size -= entry.size;
      return entries;
    },
    remember(scope, error) {
      errors.set(scope, error);
      if (errors.size - waiting.size <= MAX_REMEMBERED) return;
      for (const known of errors.keys()) {
        if (waiting.has(known)) continue;
        errors.delete(known);
        return;
      }
    },
  };
}

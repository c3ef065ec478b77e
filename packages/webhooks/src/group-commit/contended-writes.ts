import {
  createWaitingWrites,
  refusal,
  rejectAll,
  type WaitingBounds,
  type WaitingWrite,
  type WaitingWrites,
} from './waiting-writes.ts';

/** What somebody else may have locked, under a name: a scope. */
export interface Contention<Item> {
  /**
   * The scope that was locked when a commit of this item by itself failed. Undefined where the error says nothing of the
   * kind. Of the error of several items, only whether there is a scope counts.
   */
  scopeOf(error: unknown, item: Item): string | undefined;
  /** The scopes that an item needs. */
  scopesOf(item: Item): readonly string[];
}

/** What a group commit leaves out of its groups, because somebody has locked what it needs. */
export interface ContendedWrites<Item, Result> {
  /** Lets an item wait that met contention, with that error; rejects it with `overloaded` where too much waits. */
  add(scope: string, entry: WaitingWrite<Item, Result>, error: unknown): void;
  /** Adds the items that need what is known to be locked, and answers the others. */
  takeFrom(entries: readonly WaitingWrite<Item, Result>[]): readonly WaitingWrite<Item, Result>[];
  /** What was locked and is free: to be written in groups again, as a retry. */
  readonly freed: WaitingWrites<WaitingWrite<Item, Result>>;
  /** Settles when nothing waits for a lock any more; undefined when nothing does. */
  retrying(): Promise<void> | undefined;
  /** Rejects what waits, and writes neither that nor what is added from now on. */
  abandon(error: unknown): void;
}

/** Longer than most transactions last, and not so long that those who wait for one that stays open are ever more. */
const MAX_WAIT_MS = 10_000;
/** Scopes tried at once, each on a connection: more would take a pool's. */
const MAX_RETRIES_AT_ONCE = 4;
/** Between two tries: what is free is found soon, and what stays locked costs at most 80 short transactions a second. */
const RETRY_PAUSE_MS = 50;
/** How often it is asked what has waited too long: a round of tries takes long where much is locked. */
const GIVE_UP_INTERVAL_MS = 250;
/** Scopes that are kept although all that waited was given up; the first one is forgotten first. */
const MAX_REMEMBERED = 1_000;

/**
 * Remembers what is locked until an item that needs it is written. Of each scope the first item is tried again and again;
 * once nobody is in its way, all others are freed. An item that was added 10 s ago is rejected with the error of the last
 * try.
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
    retrying ??= retryAll();
  }

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

/** Rejects what has waited too long and is not being tried. */
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

/** What waits, by scope. */
interface Scopes<Entry> extends Pick<WaitingWrites<Entry>, 'length' | 'size'> {
  /** Those in which something waits, in the order in which they came. */
  names(): string[];
  /** Whether it is known, also where nothing waits in it. */
  has(scope: string): boolean;
  /** Whether none is known. */
  isEmpty(): boolean;
  first(scope: string): Entry | undefined;
  /** What was last met there. */
  errorOf(scope: string): unknown;
  push(scope: string, entry: Entry, error: unknown): void;
  /** Forgets the scope. */
  takeAll(scope: string): Entry[];
  /** Knows the scope although nothing may wait in it, until others have taken its place. */
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

/** An item and whoever waits for it to be written. */
export interface Waiting<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes beside the groups of a group commit. */
export interface Apart<Item, Result> {
  /**
   * Writes an item as soon as fewer than four others are being written; one that has waited for that for 10 s is rejected
   * with the error that brought it here.
   */
  write(entry: Waiting<Item, Result>, commit: (item: Item) => Promise<Result>, error: unknown): void;
  /** Resolves when nothing is waiting or being written. */
  idle(): Promise<void>;
  /** What waits and is not being written yet. */
  waitingItems(): number;
  waitingSize(): number;
  /** Rejects what waits, and does not write it any more, and what is being written. */
  abandon(error: unknown): void;
}

/** Writes at once, each on a connection: more would take a pool's. */
const MAX_ITEMS_AT_ONCE = 4;
/** Longer than most transactions last, and not so long that those who wait for one that stays open are ever more. */
const MAX_WAIT_MS = 10_000;

export function createApart<Item, Result>(): Apart<Item, Result> {
  type Write = { readonly entry: Waiting<Item, Result>; readonly commit: (item: Item) => Promise<Result> };
  const writing = new Map<Waiting<Item, Result>, Promise<void>>();
  const waiting = new Map<Write, NodeJS.Timeout>();

  function begin({ entry, commit }: Write): void {
    const written = commit(entry.item)
      .then(entry.resolve, entry.reject)
      .finally(() => {
        writing.delete(entry);
        beginNext();
      });
    writing.set(entry, written);
  }

  function beginNext(): void {
    const [next] = waiting;
    if (next === undefined) return;
    const [write, timer] = next;
    clearTimeout(timer);
    waiting.delete(write);
    begin(write);
  }

  return {
    write(entry, commit, error) {
      const write = { entry, commit };
      if (writing.size < MAX_ITEMS_AT_ONCE) return begin(write);
      const giveUp = () => {
        waiting.delete(write);
        entry.reject(error);
      };
      waiting.set(write, setTimeout(giveUp, MAX_WAIT_MS));
    },
    async idle() {
      // Where none is being written, none waits.
      while (writing.size > 0) await Promise.all(writing.values());
    },
    waitingItems: () => waiting.size,
    waitingSize: () => [...waiting.keys()].reduce((sum, { entry }) => sum + entry.size, 0),
    abandon(error) {
      for (const [{ entry }, timer] of waiting) {
        clearTimeout(timer);
        entry.reject(error);
      }
      waiting.clear();
      for (const entry of writing.keys()) entry.reject(error);
    },
  };
}

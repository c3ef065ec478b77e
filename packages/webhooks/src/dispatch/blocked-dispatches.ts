import { WebhookError } from '../errors.ts';
import { refusal, type WaitingBounds } from '../group-commit/group-commit.ts';
import type { DispatchReceipt, DispatchRecord } from '../storage/delivery-requests.ts';

/** A dispatch with an idempotency key. */
export type KeyedRecord = DispatchRecord & { readonly idempotencyKey: string };

/** The dispatches of groups that met a key which another transaction holds. */
export interface BlockedDispatches {
  /** Whether a dispatch with this key waits here: the next one would hold up its group again. */
  isBlocked(record: KeyedRecord): boolean;
  /**
   * Resolves once the dispatch is written by itself.
   *
   * @throws WebhookError `overloaded`; `storage_unavailable` when its key was held for ten seconds
   */
  add(record: KeyedRecord): Promise<DispatchReceipt>;
  idle(): Promise<void>;
  abandon(error: unknown): void;
}

/**
 * Longer than most transactions last, and short enough that the dispatches waiting for one that
 * stays open stay few.
 */
const MAX_WAIT_MS = 10_000;
/** Keys tried at once, each on a connection: more would take up a pool. */
const MAX_KEYS_AT_ONCE = 4;
/** The pause between two tries of a key: one that stays held costs 10–20 statements a second. */
const PAUSE_MS = 50;

/**
 * Writes dispatches one by one, of each key one at a time and of four keys at once, until their key
 * is free: a held key delays dispatches with that key and nobody else.
 */
export function createBlockedDispatches(
  commit: (records: readonly DispatchRecord[], isRetry: boolean) => Promise<readonly DispatchReceipt[]>,
  bounds: WaitingBounds,
): BlockedDispatches {
  /** The last dispatch of each key that waits. */
  const lastOf = new Map<string, Promise<unknown>>();
  /** How to reject each dispatch. */
  const waiting = new Set<(error: unknown) => void>();
  let waitingSize = 0;
  const inTurn = createTurns(MAX_KEYS_AT_ONCE);
  let abandoned: { readonly error: unknown } | undefined;

  async function writeUntil(deadline: number, record: KeyedRecord): Promise<DispatchReceipt> {
    for (;;) {
      const [receipt] = await inTurn(async () => {
        if (abandoned !== undefined) throw abandoned.error;
        if (performance.now() > deadline) throw heldTooLong();
        // Nothing was written where a key was held, but the answer to a write may be lost.
        return commit([record], true).catch(() => commit([record], true));
      });
      if (receipt === undefined) throw new RangeError('a storage answered no receipt for a dispatch');
      if (receipt.outcome !== 'blocked') return receipt;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async function writeAfter(earlier: Promise<unknown> | undefined, record: KeyedRecord) {
    const deadline = performance.now() + MAX_WAIT_MS;
    await earlier?.catch(() => undefined);
    return writeUntil(deadline, record);
  }

  return {
    isBlocked: (record) => lastOf.has(nameOf(record)),
    add(record) {
      if (abandoned !== undefined) return Promise.reject(abandoned.error);
      const size = record.payload.length;
      const refused = refusal(bounds, size, waiting.size, waitingSize);
      if (refused !== undefined) return Promise.reject(refused);
      const name = nameOf(record);
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        waitingSize += size;
        const written = writeAfter(lastOf.get(name), record)
          .then(resolve, reject)
          .finally(() => {
            waiting.delete(reject);
            waitingSize -= size;
            if (lastOf.get(name) === written) lastOf.delete(name);
          });
        lastOf.set(name, written);
      });
    },
    async idle() {
      while (lastOf.size > 0) await Promise.all(lastOf.values());
    },
    abandon(error) {
      abandoned = { error };
      for (const reject of waiting) reject(error);
    },
  };
}

/** A tenant has no line break, and an event's name no space. */
function nameOf({ tenant = '', event, idempotencyKey }: KeyedRecord): string {
  return `${tenant}\n${event} ${idempotencyKey}`;
}

function heldTooLong(): WebhookError {
  return new WebhookError(
    'storage_unavailable',
    `Another transaction has held the idempotency key for ${MAX_WAIT_MS / 1_000} s`,
  );
}

/** Runs at most so many pieces of work at once, in the order of their calls. */
function createTurns(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const next: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => next.push(resolve));
    try {
      return await work();
    } finally {
      const begin = next.shift();
      if (begin === undefined) free += 1;
      else begin();
    }
  };
}

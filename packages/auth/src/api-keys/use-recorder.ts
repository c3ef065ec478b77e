import { outsideRequests } from '../../../toolkit/src/outside-requests.ts';
import { boundedHostCall } from '../host-call.ts';
import type { Logger } from '../logging/logger.ts';
import { type ApiKeyStore, MAX_IDS_PER_USE } from './api-key-store.ts';

/** A key in constant use is written once in this time. */
const USE_INTERVAL_SECONDS = 60;
/**
 * Keys whose last recording is remembered, about 100 bytes each. One more forgets the oldest, at
 * the cost of a write.
 */
const MAX_REMEMBERED_KEYS = 10_000;
/**
 * Keys that wait to be written. One more is dropped, because `lastUsedAt` is a convenience, not a
 * log.
 */
const MAX_WAITING_KEYS = 5_000;

/** Records the uses of keys in the background. */
export interface UseRecorder {
  /** Remembers a use to be written soon. Never throws, never waits. */
  note(id: string, lastUsedAt: number | null, now: number): void;
  /** Resolves when nothing is waiting or being written. Never rejects. */
  idle(): Promise<void>;
}

/**
 * Writes the uses of keys in groups, one write at a time. Each write takes the uses that came
 * during the one before.
 *
 * A key is written at most once in {@link USE_INTERVAL_SECONDS}, by whichever process. A failed
 * write counts too, so that not every request retries on a database that accepts no writes.
 */
export function createUseRecorder(store: Pick<ApiKeyStore, 'recordUse'>, logger: Logger): UseRecorder {
  const notedAt = new Map<string, number>();
  const waiting = new Set<string>();
  let latest = 0;
  let running: Promise<void> | undefined;

  async function writeGroup(): Promise<void> {
    const ids: string[] = [];
    for (const id of waiting) {
      if (ids.length === MAX_IDS_PER_USE) break;
      waiting.delete(id);
      ids.push(id);
    }
    try {
      // In one order everywhere: two processes that write the same rows then wait for one another,
      // at worst.
      await boundedHostCall('recordUse', store.recordUse.bind(store))(ids.sort(), latest);
    } catch (err) {
      logger.error({ err }, 'The last use of API keys could not be stored');
    }
  }

  // A group has the keys of several requests: it belongs to the asynchronous context of none.
  const runInOwnContext = outsideRequests.bind(run);

  async function run(): Promise<void> {
    // Whatever is noted in the current turn of the event loop joins the first group.
    await Promise.resolve();
    while (waiting.size > 0) await writeGroup();
    running = undefined;
  }

  function remember(id: string, now: number): void {
    notedAt.delete(id);
    notedAt.set(id, now);
    if (notedAt.size <= MAX_REMEMBERED_KEYS) return;
    const [oldest] = notedAt.keys();
    if (oldest !== undefined) notedAt.delete(oldest);
  }

  return {
    note(id, lastUsedAt, now) {
      const last = Math.max(
        lastUsedAt ?? Number.NEGATIVE_INFINITY,
        notedAt.get(id) ?? Number.NEGATIVE_INFINITY,
      );
      if (now - last < USE_INTERVAL_SECONDS || waiting.size >= MAX_WAITING_KEYS) return;
      remember(id, now);
      waiting.add(id);
      latest = now;
      running ??= runInOwnContext();
    },
    async idle() {
      while (running !== undefined) await running;
    },
  };
}

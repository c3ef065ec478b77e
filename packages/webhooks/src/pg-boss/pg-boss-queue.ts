import { setTimeout as wait } from 'node:timers/promises';
import { integerOption, refuseUnknownOptions, serviceOption } from '../options.ts';
import { hintData, type SharedHint } from '../queue/hint-batch.ts';
import type { DeliveryQueue } from '../queue/queue.ts';
import { queueNameOption } from '../queue/queue-name.ts';
import { type SharedEngine, sharedQueue } from '../queue/shared-queue.ts';
import { within } from '../queue/within.ts';
import { createBossQueue } from './create-boss-queue.ts';
import type { PgBossInstance } from './pg-boss-instance.ts';

/** Options of {@link pgBossQueue}. */
export interface PgBossQueueOptions {
  /** The host's own instance: the host starts it before `webhooks.start()` and stops it after `webhooks.close()`. */
  readonly boss: PgBossInstance;
  /** The queue in pg-boss, one per storage of webhooks. Default `webhook.deliver`. */
  readonly queueName?: string;
  /**
   * How often an idle worker asks for jobs of other processes, 500–60,000 ms, default 2,000: one query each. What a
   * worker dispatches itself never waits for it.
   */
  readonly pollingIntervalMs?: number;
}

/** A hint that no worker took for this long: sweeps did its work. pg-boss then removes it. */
const RETENTION_SECONDS = 3_600;
/** A hint is deleted as soon as it is taken; this is for the process that dies in between. */
const EXPIRE_SECONDS = 60;
/** Half of pg's default pool, which is the host's. */
const MAX_SENDS_AT_ONCE = 5;
const START_TIMEOUT_MS = 5_000;
/** The driver waits for ever on a connection that is dead without a word. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * A queue on the host's own pg-boss, for several processes that share a PostgreSQL database.
 *
 * It creates its queue when it is first needed, in any number of processes at once. Its policy `short` keeps at
 * most one waiting job per key, so that at most ten wait at once, and ten for each second to come. Jobs carry
 * the ids of their deliveries, are deleted when a worker takes them, and are never retried. A queue of that name which
 * exists under another policy is not used: start and jobs reject.
 *
 * @throws TypeError naming the option, what was given and its bounds
 */
export function pgBossQueue(options: PgBossQueueOptions): DeliveryQueue {
  refuseUnknownOptions('pgBossQueue', options, ['boss', 'queueName', 'pollingIntervalMs']);
  const boss = serviceOption('boss', options.boss, ['createQueue', 'getQueue', 'send', 'fetch', 'deleteJob']);
  const bounds = { default: 2_000, min: 500, max: 60_000 };
  const pollingIntervalMs = integerOption('pollingIntervalMs', options.pollingIntervalMs, bounds);
  return sharedQueue(pgBossEngine(boss, queueNameOption(options.queueName), pollingIntervalMs));
}

function pgBossEngine(boss: PgBossInstance, name: string, pollingIntervalMs: number): SharedEngine {
  const closing = new AbortController();
  let created: Promise<void> | undefined;
  let polling: Promise<void> = Promise.resolve();

  function ready(): Promise<void> {
    created ??= createBossQueue(boss, name).catch((error: unknown) => {
      created = undefined;
      throw error;
    });
    return created;
  }

  /** Not `boss.work`: in pg-boss 10 its completions are not waited for, and one that fails ends the process. */
  async function receiveOne(onHint: (data: unknown) => Promise<void>): Promise<boolean> {
    const fetched = boss.fetch(name, { batchSize: 1 });
    const [job] = await within(STATEMENT_TIMEOUT_MS, 'fetching a job', fetched);
    if (job === undefined) return false;
    await Promise.all([onHint(job.data), boss.deleteJob(name, job.id)]);
    return true;
  }

  async function poll(...[onHint, report]: Parameters<SharedEngine['receive']>): Promise<void> {
    while (!closing.signal.aborted) {
      const isReceived = await receiveOne(onHint).catch(report);
      if (isReceived) continue;
      await wait(pollingIntervalMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  }

  function sendOne(hint: SharedHint): Promise<unknown> {
    return boss.send(name, hintData(hint), {
      singletonKey: hint.key,
      startAfter: hint.delayMs / 1_000,
      retryLimit: 0,
      expireInSeconds: EXPIRE_SECONDS,
      retentionSeconds: RETENTION_SECONDS,
    });
  }

  return {
    async send(hints) {
      await ready();
      for (let first = 0; first < hints.length; first += MAX_SENDS_AT_ONCE) {
        await Promise.all(hints.slice(first, first + MAX_SENDS_AT_ONCE).map(sendOne));
      }
    },
    async receive(onHint, report) {
      await within(START_TIMEOUT_MS, 'creating the queue', ready());
      polling = poll(onHint, report);
    },
    async close() {
      closing.abort();
      await within(CLOSE_TIMEOUT_MS, 'closing', polling);
    },
  };
}

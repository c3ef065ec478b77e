import { setTimeout as wait } from 'node:timers/promises';
import { integerOption, refuseUnknownOptions, serviceOption } from '../../../toolkit/src/options.ts';
import type { ServiceInterface } from '../../../toolkit/src/service-interface.ts';
import type { DeliveryQueue } from '../queue/queue.ts';
import { queueNameOption } from '../queue/queue-name.ts';
import { sharedQueue } from '../queue/shared-queue.ts';
import { withTimeout } from '../queue/with-timeout.ts';
import { createBossQueue } from './create-boss-queue.ts';
import type { PgBossInstance } from './pg-boss-instance.ts';

/** Options of {@link pgBossQueue}. */
export interface PgBossQueueOptions {
  /**
   * The host's own instance: the host starts it before `webhooks.start()` and stops it after
   * `webhooks.close()`.
   */
  readonly boss: PgBossInstance;
  /** The queue in pg-boss, one per storage of webhooks. Default `webhook.deliver`. */
  readonly queueName?: string;
  /**
   * How often an idle worker asks for jobs of other processes, 500–60,000 ms, default 2,000: one
   * query each. The deliveries that a worker dispatches itself never wait for it.
   */
  readonly pollingIntervalMs?: number;
}

/**
 * A wake-up expires when its process dies before it deletes it. It is removed when no worker takes
 * it for an hour, by which time sweeps have done its work.
 */
const JOB_OPTIONS = { retryLimit: 0, expireInSeconds: 60, retentionSeconds: 3_600 };
const PG_BOSS: ServiceInterface<PgBossInstance> = {
  name: 'PgBoss',
  methods: { createQueue: true, getQueue: true, send: true, fetch: true, deleteJob: true },
};
const START_TIMEOUT_MS = 5_000;
/** The driver waits for ever on a connection that is dead without notice. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * A queue on the host's own pg-boss, for several processes that share a PostgreSQL database.
 *
 * It creates its queue when it is first needed, in any number of processes at once. Its policy
 * `short` keeps at most one waiting job per key, so that at most ten wait at once, and ten for each
 * future second. Jobs carry the ids of their deliveries, are deleted when a worker takes them, and
 * are never retried.
 *
 * Start and jobs reject if a queue of that name exists under another policy.
 *
 * @throws TypeError naming the option, what was given and its bounds
 */
export function pgBossQueue(options: PgBossQueueOptions): DeliveryQueue {
  refuseUnknownOptions('pgBossQueue', options, ['boss', 'queueName', 'pollingIntervalMs']);
  const boss = serviceOption('boss', options.boss, PG_BOSS);
  const bounds = { default: 2_000, min: 500, max: 60_000 };
  const pollingIntervalMs = integerOption('pollingIntervalMs', options.pollingIntervalMs, bounds);
  const name = queueNameOption(options.queueName);
  const closing = new AbortController();
  let created: Promise<void> | undefined;
  let receiving: Promise<void> = Promise.resolve();

  function ready(): Promise<void> {
    created ??= createBossQueue(boss, name).catch((error: unknown) => {
      created = undefined;
      throw error;
    });
    return created;
  }

  /**
   * Not `boss.work`: pg-boss 10 does not wait for its completions, and one that fails ends the
   * process. `boss.work` will do once pg-boss 10 is no longer supported.
   */
  async function receiveOne(onWakeUp: () => Promise<void>): Promise<boolean> {
    const fetched = boss.fetch(name, { batchSize: 1 });
    const [job] = await withTimeout(STATEMENT_TIMEOUT_MS, 'fetching a job', fetched);
    if (job === undefined) return false;
    await Promise.all([onWakeUp(), boss.deleteJob(name, job.id)]);
    return true;
  }

  async function receiveAll(onWakeUp: () => Promise<void>, report: (error: unknown) => void): Promise<void> {
    while (!closing.signal.aborted) {
      if (await receiveOne(onWakeUp).catch(report)) continue;
      await wait(pollingIntervalMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  }

  return sharedQueue({
    async send(wakeUps) {
      await ready();
      // One after the other: the connections are the host's.
      for (const { key, data, delayMs } of wakeUps) {
        await boss.send(name, data, { ...JOB_OPTIONS, singletonKey: key, startAfter: delayMs / 1_000 });
      }
    },
    async receive(onWakeUp, report) {
      await withTimeout(START_TIMEOUT_MS, 'creating the queue', ready());
      receiving = receiveAll(onWakeUp, report);
    },
    async close() {
      closing.abort();
      await withTimeout(CLOSE_TIMEOUT_MS, 'closing', receiving);
    },
  });
}

import { type ConnectionOptions, Queue, Worker } from 'bullmq';
import { objectOption, refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import type { DeliveryQueue } from '../queue/queue.ts';
import { queueNameOption } from '../queue/queue-name.ts';
import { sharedQueue } from '../queue/shared-queue.ts';
import { withTimeout } from '../queue/with-timeout.ts';

/** Options of {@link bullmqQueue}. */
export interface BullmqQueueOptions {
  /**
   * The `connection` of BullMQ: the host's own client (ioredis), or options. In a process that
   * calls `webhooks.start()`, BullMQ demands `maxRetriesPerRequest: null` of the client, and
   * duplicates it for its blocking reads. The host closes its client, after `webhooks.close()`.
   */
  readonly connection: ConnectionOptions;
  /**
   * The prefix of the keys in Redis. Default `bull`, as in BullMQ; in braces (`{webhooks}`) for
   * Redis Cluster.
   */
  readonly prefix?: string;
  /** The queue in BullMQ, one per storage of webhooks. Default `webhook.deliver`. */
  readonly queueName?: string;
}

/** A wake-up is done once a worker has polled: its result and its failure mean nothing. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true };
/**
 * The most due wake-ups that wait for a worker: the one that takes it polls for all that is due.
 */
const MAX_WAITING = 10;
/** BullMQ logs every job in a stream, by default the last 10,000. */
const STREAMS = { events: { maxLen: 100 } };
const START_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * One wake-up at a time leaves the others to idle workers; the long poll is the cost of each. The
 * job of a worker that died is found after five minutes, and removed: sweeps have done its work.
 */
const WORKER_OPTIONS = {
  concurrency: 1,
  drainDelay: 10,
  lockDuration: 60_000,
  stalledInterval: 300_000,
  maxStalledCount: 0,
};

/**
 * A queue on BullMQ 5 or 6, for several processes that share a Redis.
 *
 * It connects when it is first needed. Jobs carry the ids of their deliveries, are removed when a
 * worker has polled, and are never retried. At most ten wait at once beside those enqueued
 * concurrently, and ten for each future second, for any number of deliveries and also if no
 * worker runs.
 *
 * @throws TypeError naming the option and what was given
 */
export function bullmqQueue(options: BullmqQueueOptions): DeliveryQueue {
  refuseUnknownOptions('bullmqQueue', options, ['connection', 'prefix', 'queueName']);
  const connection = objectOption('connection', options.connection);
  const { prefix = 'bull' } = options;
  if (typeof prefix !== 'string' || prefix === '') throw new TypeError('prefix must be text, not empty');
  const name = queueNameOption(options.queueName);
  let queue: Queue | undefined;
  let worker: Worker | undefined;

  function openQueue(): Queue {
    const opened = new Queue(name, { connection, prefix, streams: STREAMS });
    // BullMQ throws without a listener. Every send that fails rejects, so there is nothing more to
    // report.
    return opened.on('error', () => {});
  }

  return sharedQueue({
    async send(wakeUps) {
      queue ??= openQueue();
      const isCovered = (await queue.getWaitingCount()) >= MAX_WAITING;
      const filed = isCovered ? wakeUps.filter(({ delayMs }) => delayMs > 0) : wakeUps;
      await queue.addBulk(
        filed.map(({ key, data, delayMs }) => ({
          name,
          data,
          // An id that exists is not added again. A due wake-up has none: the poll of a job with
          // the same id may have begun before.
          opts: delayMs > 0 ? { ...JOB_OPTIONS, delay: delayMs, jobId: key } : JOB_OPTIONS,
        })),
      );
    },
    async receive(onWakeUp, report) {
      const started = new Worker(name, onWakeUp, { connection, prefix, ...WORKER_OPTIONS });
      // A stop during the start closes it as well.
      worker = started.on('error', report);
      try {
        await withTimeout(START_TIMEOUT_MS, 'connecting to Redis', started.waitUntilReady());
      } catch (error) {
        worker = undefined;
        void started.close(true).catch(() => undefined);
        throw error;
      }
    },
    async close() {
      const closed = Promise.all([worker?.close(), queue?.close()]);
      await withTimeout(CLOSE_TIMEOUT_MS, 'closing', closed).catch(() => {
        // Redis is away: the connections end without a farewell.
        for (const opened of [worker, queue]) void opened?.disconnect().catch(() => undefined);
      });
    },
  });
}

import { type ConnectionOptions, Queue, Worker } from 'bullmq';
import { refuseUnknownOptions, serviceOption } from '../options.ts';
import { hintData } from '../queue/hint-batch.ts';
import type { DeliveryQueue } from '../queue/queue.ts';
import { queueNameOption } from '../queue/queue-name.ts';
import { type SharedEngine, sharedQueue } from '../queue/shared-queue.ts';
import { within } from '../queue/within.ts';

/** Options of {@link bullmqQueue}. */
export interface BullmqQueueOptions {
  /**
   * What BullMQ takes as `connection`: the host's own client (ioredis), or options. BullMQ demands
   * `maxRetriesPerRequest: null` of the client of a process that calls `webhooks.start()`, and duplicates it there for
   * its blocking reads. A client is the host's to close, after `webhooks.close()`.
   */
  readonly connection: ConnectionOptions;
  /** What the keys in Redis begin with. Default `bull`, as in BullMQ; in braces (`{webhooks}`) for Redis Cluster. */
  readonly prefix?: string;
  /** The queue in BullMQ, one per storage of webhooks. Default `webhook.deliver`. */
  readonly queueName?: string;
}

/** A hint is done once a worker has looked: neither its result nor its failure is of interest. */
const JOB_OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true };
/** BullMQ notes every job in a stream, by default the last 10,000. */
const EVENTS_KEPT = 100;
const START_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * How a worker takes jobs. One at a time: the second look would find what the first left. The long poll is woken by
 * a new job; its length is what an idle worker costs. A job of a worker that died is found after five minutes, and
 * removed: sweeps did its work.
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
 * It connects when it is first needed. Jobs carry the ids of their deliveries, are removed when a worker has looked,
 * and are never retried. At most ten wait at once beside those enqueued at the same instant, and ten for each second
 * to come, whatever the number of deliveries and whether or not a worker runs.
 *
 * @throws TypeError naming the option and what was given
 */
export function bullmqQueue(options: BullmqQueueOptions): DeliveryQueue {
  refuseUnknownOptions('bullmqQueue', options, ['connection', 'prefix', 'queueName']);
  const connection = serviceOption('connection', options.connection, []);
  const prefix: unknown = options.prefix ?? 'bull';
  if (typeof prefix !== 'string' || prefix === '') throw new TypeError('prefix must be text, not empty');
  return sharedQueue(bullmqEngine(queueNameOption(options.queueName), { connection, prefix }));
}

function bullmqEngine(
  name: string,
  base: { readonly connection: ConnectionOptions; readonly prefix: string },
): SharedEngine {
  let queue: Queue | undefined;
  let worker: Worker | undefined;

  function openQueue(): Queue {
    if (queue === undefined) {
      queue = new Queue(name, { ...base, streams: { events: { maxLen: EVENTS_KEPT } } });
      // BullMQ throws where nobody listens. Every send that fails rejects: there is nothing more to tell.
      queue.on('error', () => {});
    }
    return queue;
  }

  return {
    async send(hints) {
      const jobs = openQueue();
      const due = hints.filter(({ delayMs }) => delayMs === 0);
      // Whatever waits now is taken later, and the look that follows finds these deliveries as well.
      const waiting = due.length === 0 ? 0 : await jobs.getWaitingCount();
      const filed = [...due.slice(waiting), ...hints.filter(({ delayMs }) => delayMs > 0)];
      if (filed.length === 0) return;
      await jobs.addBulk(
        filed.map((hint) => ({
          name,
          data: hintData(hint),
          // An id that exists is not added again. A hint for now has none: one of the same id may have begun to look.
          opts: hint.delayMs > 0 ? { ...JOB_OPTIONS, delay: hint.delayMs, jobId: hint.key } : JOB_OPTIONS,
        })),
      );
    },
    async receive(onHint, report) {
      const started = new Worker(name, ({ data }) => onHint(data), { ...base, ...WORKER_OPTIONS });
      started.on('error', report);
      // A stop during the start closes it as well.
      worker = started;
      try {
        await within(START_TIMEOUT_MS, 'connecting to Redis', started.waitUntilReady());
      } catch (error) {
        worker = undefined;
        void started.close(true).catch(() => undefined);
        throw error;
      }
    },
    async close() {
      const closed = Promise.all([worker?.close(), queue?.close()]);
      await within(CLOSE_TIMEOUT_MS, 'closing', closed).catch(() => {
        // Redis is away: the connections end without a good-bye.
        for (const opened of [worker, queue]) void opened?.disconnect().catch(() => undefined);
      });
    },
  };
}

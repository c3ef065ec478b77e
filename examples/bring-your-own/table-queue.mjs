import { setImmediate } from 'node:timers/promises';
import { inProcessQueue } from '@acme/webhooks';

/** How often a worker reads the table. */
const INTERVAL_MS = 100;
/** How long a wake-up is kept for workers that start later. */
const KEPT_MS = 60_000;
/** The most that a worker reads at once; it reads the rest after the next interval. */
const BATCH = 1_000;

/**
 * A `DeliveryQueue` in a table of the application's database, which every worker reads: a row says
 * that something is due at that time. All workers poll then, and the storage gives each delivery to
 * one of them. `inProcessQueue` waits for the times, and has one poll run at a time.
 */
export function tableQueue(db) {
  db.pragma('busy_timeout = 5000');
  db.exec(`create table if not exists wake_ups
    (id integer primary key autoincrement, due_ms integer not null)`);
  const insert = db.prepare('insert into wake_ups (due_ms) select value from json_each(?)');
  const select = db.prepare(
    'select id, due_ms as dueMs from wake_ups where id > ? order by id limit ?',
  );
  const forget = db.prepare('delete from wake_ups where due_ms < ?');
  const local = inProcessQueue();
  const times = new Set();
  let writing; // until the times are in the table
  let lastId = 0;
  let forgetsAt = 0;
  let timer;
  let isStopped = false;

  async function write() {
    await setImmediate();
    const due = [...times];
    times.clear();
    writing = undefined;
    insert.run(JSON.stringify(due));
  }

  async function read() {
    const rows = select.all(lastId, BATCH);
    lastId = rows.at(-1)?.id ?? lastId;
    const now = Date.now();
    await local.enqueue(
      rows.map(({ dueMs }) => ({ deliveryId: '', delayMs: Math.max(dueMs - now, 0) })),
    );
    if (now < forgetsAt) return;
    forgetsAt = now + KEPT_MS;
    forget.run(now - KEPT_MS);
  }

  return {
    async enqueue(jobs) {
      if (isStopped || jobs.length === 0) return;
      const now = Date.now();
      // What is due in one millisecond shares a row, and calls that come together one write.
      for (const { delayMs } of jobs) times.add(now + Math.ceil(delayMs));
      writing ??= write();
      await writing;
    },
    async start(poll, report = () => {}) {
      await local.start(poll); // rejects a second start, and one after stop
      timer = setInterval(() => read().catch(report), INTERVAL_MS).unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await Promise.allSettled([writing, local.stop()]);
    },
  };
}

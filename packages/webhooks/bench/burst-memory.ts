import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createWebhooks, type Webhooks } from '@acme/webhooks';
import { kyselyStorage } from '@acme/webhooks/kysely';
import type { Kysely } from 'kysely';
import { recordFigure } from '../../../bench/figures.ts';
import type { WebhookTables } from '../src/kysely/tables.ts';
import { type BenchServer, benchServers } from './bench-database.ts';

/**
 * What a thousand events of one burst to a thousand webhooks each take in the process that
 * dispatches them.
 */

const EVENTS = 1_000;
const WEBHOOKS = 1_000;
const SAMPLE_MS = 20;
/**
 * How long one database may take: a million rows in all their indexes outgrow the caches that a
 * database has by default, and its disk sets the pace from there on.
 */
const MAX_SECONDS = 60;

/** Set in the process that measures a database: its name. */
const NAMED = 'BENCH_BURST_DATABASE';

const servers = await benchServers();
const server = servers.find(({ name }) => name === process.env[NAMED]);
if (server === undefined) {
  // A process each: memory that one database took would be counted for the next.
  for (const { name } of servers) {
    const env = { ...process.env, [NAMED]: name };
    const path = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', path], { env, stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
} else {
  await measure(server);
}

async function measure({ name, open }: BenchServer): Promise<void> {
  const { db, remove } = await open();
  await register(db);
  const webhooks = createWebhooks({ storage: kyselyStorage(db) });
  const memory = sampleMemory();
  const start = performance.now();
  const burst = dispatchAll(webhooks);
  await Promise.race([burst.settled, sleep(MAX_SECONDS * 1_000, undefined, { ref: false })]);
  const seconds = (performance.now() - start) / 1_000;
  const deliveries = burst.deliveries();
  const { before, peak, latestMs } = await memory.stop();
  const title = `${EVENTS} events of one burst to ${WEBHOOKS} webhooks each: ${name}`;
  recordFigure({ title, run: 'deliveries', value: deliveries / seconds, unit: '/s' });
  recordFigure({ title, run: 'resident memory at most', value: peak / 1_048_576, unit: 'MiB' });
  const mebibytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`;
  console.log(
    `\n${title}\n` +
      `  ${deliveries} of ${EVENTS * WEBHOOKS} deliveries in ${seconds.toFixed(1)} s (${(deliveries / seconds).toFixed(0)} /s)\n` +
      `  resident memory ${mebibytes(before)} before, ${mebibytes(peak)} at most; a timer of ${SAMPLE_MS} ms was late by at most ${latestMs.toFixed(0)} ms`,
  );
  // What still waits is refused by a database that is gone.
  await remove();
  await burst.settled;
}

async function register(db: Kysely<WebhookTables>): Promise<void> {
  const at = new Date().toISOString();
  const webhooks = Array.from({ length: WEBHOOKS }, (_, index) => ({
    url: `https://recipient.example/${index}`,
    secret: 'whsec_c2VjcmV0',
    created_at: at,
    updated_at: at,
  }));
  await db.insertInto('webhooks').values(webhooks).execute();
  const rows = await db.selectFrom('webhooks').select('id').execute();
  const patterns = rows.map(({ id }) => ({ webhook_id: id, pattern: '*' }));
  await db.insertInto('webhook_patterns').values(patterns).execute();
}

function dispatchAll(webhooks: Webhooks) {
  let deliveries = 0;
  const dispatches = Array.from({ length: EVENTS }, async (_, id) => {
    const result = await webhooks.dispatch('order.created', { id, text: 'x'.repeat(1_000) });
    deliveries += result.deliveries;
  });
  return { settled: Promise.allSettled(dispatches), deliveries: () => deliveries };
}

function sampleMemory() {
  const before = process.memoryUsage().rss;
  let peak = before;
  let latestMs = 0;
  let isRunning = true;
  const sampling = (async () => {
    while (isRunning) {
      const start = performance.now();
      await sleep(SAMPLE_MS);
      latestMs = Math.max(latestMs, performance.now() - start - SAMPLE_MS);
      peak = Math.max(peak, process.memoryUsage().rss);
    }
  })();
  return {
    async stop() {
      isRunning = false;
      await sampling;
      return { before, peak, latestMs };
    },
  };
}

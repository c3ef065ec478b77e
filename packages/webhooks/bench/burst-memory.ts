import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kyselyStorage } from '../src/kysely/kysely-storage.ts';
import { createWebhooks } from '../src/webhooks.ts';
import { type BenchServer, benchServers } from './bench-database.ts';

/** What a thousand events of one moment to a thousand webhooks each take in the process that dispatches them. */

const EVENTS = 1_000;
const WEBHOOKS = 1_000;
const SAMPLE_MS = 20;

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
  const webhooks = createWebhooks({ storage: kyselyStorage(db) });
  const at = new Date().toISOString();
  for (let id = 1; id <= WEBHOOKS; id++) {
    const url = `https://recipient.example/${id}`;
    await db
      .insertInto('webhooks')
      .values({ url, secret: 'whsec_c2VjcmV0', created_at: at, updated_at: at })
      .execute();
    await db.insertInto('webhook_patterns').values({ webhook_id: id, pattern: '*' }).execute();
  }

  const before = process.memoryUsage().rss;
  let peak = before;
  let latestTurn = 0;
  let isRunning = true;
  const sampling = (async () => {
    while (isRunning) {
      const start = performance.now();
      await sleep(SAMPLE_MS);
      latestTurn = Math.max(latestTurn, performance.now() - start - SAMPLE_MS);
      peak = Math.max(peak, process.memoryUsage().rss);
    }
  })();
  const start = performance.now();
  const results = await Promise.all(
    Array.from({ length: EVENTS }, (_, id) =>
      webhooks.dispatch('order.created', { id, text: 'x'.repeat(1_000) }),
    ),
  );
  const seconds = (performance.now() - start) / 1_000;
  isRunning = false;
  await sampling;
  const deliveries = results.reduce((sum, result) => sum + result.deliveries, 0);
  const mebibytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MiB`;
  console.log(
    `\n${EVENTS} events of one moment to ${WEBHOOKS} webhooks each: ${name}\n` +
      `  ${deliveries} deliveries in ${seconds.toFixed(1)} s (${(deliveries / seconds).toFixed(0)} /s)\n` +
      `  resident memory ${mebibytes(before)} before, ${mebibytes(peak)} at most; a timer of ${SAMPLE_MS} ms was late by at most ${latestTurn.toFixed(0)} ms`,
  );
  await remove();
}

import { kyselyStorage } from '@acme/webhooks/kysely';
import { recordFigure } from '../../../bench/figures.ts';
import type { AttemptRecord } from '../src/storage/delivery-requests.ts';
import { RESULT_RULES } from '../src/storage/result-rules.ts';
import { type BenchDatabase, benchServers } from './bench-database.ts';

/**
 * How many groups of results a second eight workers record that all deliver to the same webhooks,
 * where every second result is a failure, beside the same results as successes. A failure steps the
 * run of its webhook, whose row the workers share.
 */
const WORKERS = 8;
const WEBHOOKS = [1, 20, 100];
const GROUPS = 25;
/** Results of one group. */
const GROUP = 20;
const ROUNDS = 5;

for (const server of await benchServers()) {
  const title = `Groups of ${GROUP} results of ${WORKERS} workers: ${server.name}`;
  console.log(`\n${title}`);
  for (const webhooks of WEBHOOKS) {
    const rates = { failing: [] as number[], succeeding: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of ['succeeding', 'failing'] as const) {
        const database = await server.open();
        rates[kind].push(await groupsPerSecond(database, webhooks, kind === 'failing'));
        await database.remove();
      }
    }
    const [failing, succeeding] = [median(rates.failing), median(rates.succeeding)];
    const run = `${webhooks} webhooks, every second result a failure`;
    const ratio = median(rates.failing.map((rate, round) => (rates.succeeding[round] ?? 0) / rate));
    recordFigure({ title, run, value: failing, unit: 'groups/s' });
    console.log(
      `  ${run}: ${Math.round(failing)} groups/s (${Math.round(succeeding)} without, ${ratio.toFixed(2)} ×)`,
    );
  }
}

async function groupsPerSecond({ db }: BenchDatabase, webhooks: number, isFailing: boolean): Promise<number> {
  const storage = kyselyStorage(db);
  const now = Date.now();
  const createdAt = new Date(now).toISOString();
  for (let i = 0; i < webhooks; i += 1) {
    await storage.createWebhook({
      url: 'https://recipient.example/',
      secret: 'whsec_c2VjcmV0',
      description: '',
      events: ['*'],
      isActive: true,
      createdBy: 0,
      createdByUid: null,
      createdAt,
    });
  }
  const dispatch = { event: 'order.paid', payload: '{}', createdAt, target: { patterns: ['*'] } };
  const needed = WORKERS * GROUPS * GROUP;
  const dispatches = Array.from({ length: Math.ceil(needed / webhooks) }, () => dispatch);
  for (let from = 0; from < dispatches.length; from += 200) {
    await storage.recordDispatches(dispatches.slice(from, from + 200));
  }
  const results: AttemptRecord[] = [];
  while (results.length < needed) {
    const claims = await storage.claimDueDeliveries({
      now: now + 1_000,
      limit: 1_000,
      leaseMs: 600_000,
      maxAttempts: 4,
      claimToken: `token-${results.length}`,
      isFromStart: true,
      choose: (waiting) => new Map(waiting.map(({ webhookId }) => [webhookId, Math.ceil(1_000 / webhooks)])),
    });
    for (const { id, claimToken, webhook, attempt } of claims) {
      const failed = isFailing && results.length % 2 === 1;
      const said = { statusCode: failed ? 500 : 200, error: failed ? 'http_500' : '', responseBody: '' };
      results.push({
        id,
        claimToken,
        ...said,
        status: failed ? 'failed' : 'success',
        attemptLog: [{ attempt, startedAt: createdAt, durationMs: 35, ...said }],
        activation: webhook.activation,
        now: now + 2_000,
        retryInMs: 0,
      });
    }
  }
  const start = performance.now();
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let group = 0; group < GROUPS; group += 1) {
        const from = (worker * GROUPS + group) * GROUP;
        await storage.recordAttempts(results.slice(from, from + GROUP), RESULT_RULES);
      }
    }),
  );
  return (WORKERS * GROUPS) / ((performance.now() - start) / 1_000);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

import { CompiledQuery, type Kysely } from 'kysely';
import type { TestDatabase } from '../../../../../test/services/test-database.ts';
import { kyselyStorage, migrateWebhooks } from '../../../src/kysely/index.ts';
import type { WebhookTables } from '../../../src/kysely/tables.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { databaseServers } from '../database-servers.ts';
import { CLAIM } from '../example-rows.ts';

/** A step of a plan, as `explain (analyze, buffers, format json)` tells of it. */
export interface PlanStep {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  /** Of one loop, on average. */
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  /** Of the step and those below it. */
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanStep[];
}

/** Runs the statement once more, and answers the steps that PostgreSQL took. */
export async function stepsOf<DB>(db: Kysely<DB>, statement: CompiledQuery): Promise<PlanStep[]> {
  const explain = `explain (analyze, buffers, format json) ${statement.sql}`;
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanStep }[] }>(
    CompiledQuery.raw(explain, [...statement.parameters]),
  );
  return rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => withSteps(Plan));
}

function withSteps(step: PlanStep): PlanStep[] {
  return [step, ...(step.Plans ?? []).flatMap(withSteps)];
}

const server = databaseServers.find(({ name }) => name === 'PostgreSQL');

/** Why there is no PostgreSQL to test with; undefined if there is. */
export const withoutPostgres = server === undefined ? 'it is not among the servers' : server.skipped;

/** Runs `work` on tables of its own, with all that its storage has executed. */
export async function onPostgres(
  work: (opened: {
    readonly database: TestDatabase;
    readonly db: Kysely<WebhookTables>;
    readonly storage: Omit<WebhookStorage, 'assertReady'>;
    readonly executed: CompiledQuery[];
  }) => Promise<void>,
): Promise<void> {
  if (server === undefined) throw new Error(withoutPostgres);
  const database = await server.createEmpty();
  try {
    const executed: CompiledQuery[] = [];
    const db = database.open<WebhookTables>({ log: ({ query }) => executed.push(query) });
    await migrateWebhooks(db);
    const storage = kyselyStorage(db);
    // The first claim of an hour notes the hour.
    await storage.claimDueDeliveries({ ...CLAIM, choose: () => new Map() });
    await work({ database, db, storage, executed });
  } finally {
    await database.remove();
  }
}

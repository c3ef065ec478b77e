import { sql } from 'kysely';
import type { FailureStep, KeptRun, StepRequest } from '../../storage/failure-steps.ts';
import type { DatabaseAccess } from '../database-access.ts';
import { COLUMNS, type Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { failureRowOf, failureRunOf, LAST_SUCCESS } from './run-rows.ts';

/** The dialect of these changes. */
export type RunDialect = Pick<WebhookDialect, 'ignoringWritten' | 'overwriting' | 'locks' | 'timestamp'>;

/** Reads the runs, and locks those that the step changes: a pass that changes none only reads. */
export async function stepFailures(
  { run, write, dialect }: DatabaseAccess,
  request: StepRequest,
): Promise<FailureStep[]> {
  const { step } = request;
  const looked = await run((tables) => keptRuns(tables, dialect, request));
  const changed = looked.filter((kept) => step(kept) !== kept.run).map(({ webhookId }) => webhookId);
  const isChanged = new Set(changed);
  const same = looked.filter(({ webhookId }) => !isChanged.has(webhookId));
  const steps: FailureStep[] = same.map((kept) => ({ ...kept, after: kept.run }));
  if (changed.length === 0) return steps;
  const after = await write(async (tables) => {
    const locked = { ...request, webhookIds: changed };
    return stepRuns(
      tables,
      dialect,
      await keptRuns(tables, dialect, locked, dialect.locks.forUpdateSkipLocked),
      step,
    );
  });
  return [...steps, ...after].sort((a, b) => a.webhookId - b.webhookId);
}

/**
 * Steps the runs of these webhooks, whether they have one or not, in a transaction that has counted
 * its successes. They are locked in ascending order, and written in one statement.
 */
export async function changeRuns(
  tables: Tables,
  dialect: RunDialect,
  { now, webhookIds, step }: Required<Pick<StepRequest, 'now' | 'webhookIds' | 'step'>>,
): Promise<void> {
  const ids = [...new Set(webhookIds)].sort((a, b) => a - b);
  if (ids.length === 0) return;
  // Also where all are there: whoever locks some first would wait for an insertion that waits for
  // those.
  const rows = ids.map((webhook_id) => ({ webhook_id }));
  await dialect.ignoringWritten(tables.insertInto('webhook_failures').values(rows), 'webhook_id').execute();
  const all = { now, webhookIds: ids, limit: ids.length };
  const kept = await keptRuns(tables, dialect, all, dialect.locks.forUpdate);
  await stepRuns(tables, dialect, kept, step);
}

/** Steps runs that are locked. */
async function stepRuns(
  tables: Tables,
  dialect: RunDialect,
  kept: readonly KeptRun[],
  step: StepRequest['step'],
): Promise<FailureStep[]> {
  const steps = kept.map((one): FailureStep => ({ ...one, after: step(one) }));
  const removed = steps.filter(({ after }) => after === null).map(({ webhookId }) => webhookId);
  if (removed.length > 0) {
    await tables.deleteFrom('webhook_failures').where('webhook_id', 'in', removed).execute();
  }
  const rows = steps.flatMap(({ webhookId, run, after }) =>
    after === null || after === run ? [] : [failureRowOf(webhookId, after)],
  );
  if (rows.length > 0) {
    const insertion = tables.insertInto('webhook_failures').values(rows);
    await dialect.overwriting(insertion, COLUMNS.webhook_failures).execute();
  }
  return steps;
}

async function keptRuns(
  tables: Tables,
  dialect: Pick<WebhookDialect, 'timestamp'>,
  { now, webhookIds, after = 0, limit }: Omit<StepRequest, 'step'>,
  lock = sql``,
): Promise<KeptRun[]> {
  const rows = await tables
    .selectFrom('webhook_failures as run')
    .selectAll('run')
    .select([LAST_SUCCESS.as('last_success_at'), dialect.timestamp(now).as('present')])
    .select((run) =>
      run
        .selectFrom('webhooks')
        .select('webhooks.activations')
        .whereRef('webhooks.id', '=', 'run.webhook_id')
        .where('webhooks.is_active', '=', 1)
        .as('activations'),
    )
    .where('run.webhook_id', '>', after)
    .$if(webhookIds !== undefined, (runs) => runs.where('run.webhook_id', 'in', webhookIds ?? []))
    .orderBy('run.webhook_id')
    .limit(limit)
    .modifyEnd(lock)
    .execute();
  return rows.map((row) => ({
    webhookId: Number(row.webhook_id),
    run: failureRunOf(row),
    lastSuccessAt: row.last_success_at,
    activation: row.activations === null ? null : Number(row.activations),
    now: row.present,
  }));
}

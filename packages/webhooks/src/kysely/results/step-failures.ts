import { sql } from 'kysely';
import type { FailureStep, KeptRun, StepRequest } from '../../storage/failure-steps.ts';
import { failureColumnsOf, failureRunOf, LAST_SUCCESS } from '../counters/failure-runs.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Tables } from '../tables.ts';

/** Reads the runs, and locks those that the step changes: a pass that changes none only reads. */
export async function stepFailures(
  { read, write, dialect }: DatabaseAccess,
  request: StepRequest,
): Promise<FailureStep[]> {
  const { step } = request;
  const looked = await read((tables) => keptRuns(tables, dialect, request));
  const isChanged = new Set(
    looked.filter((kept) => step(kept) !== kept.run).map(({ webhookId }) => webhookId),
  );
  const same = looked.filter(({ webhookId }) => !isChanged.has(webhookId));
  const steps: FailureStep[] = same.map((kept) => ({ ...kept, after: kept.run }));
  if (isChanged.size === 0) return steps;
  const changed = await write(async (tables) => {
    const locked = { ...request, webhookIds: [...isChanged] };
    const runs = await keptRuns(tables, dialect, locked, dialect.locks.forUpdateSkipLocked);
    const after = runs.map((kept) => ({ ...kept, after: step(kept) }));
    for (const one of after) if (one.after !== one.run) await keep(tables, one);
    return after;
  });
  return [...steps, ...changed].sort((a, b) => a.webhookId - b.webhookId);
}

async function keptRuns(
  tables: Tables,
  dialect: Pick<DatabaseAccess['dialect'], 'timestamp'>,
  { now, webhookIds, after = 0, limit }: StepRequest,
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

async function keep(tables: Tables, { webhookId, after }: FailureStep): Promise<void> {
  const isThis = tables.deleteFrom('webhook_failures').where('webhook_id', '=', webhookId);
  if (after === null) await isThis.execute();
  else {
    await tables
      .updateTable('webhook_failures')
      .set(failureColumnsOf(after))
      .where('webhook_id', '=', webhookId)
      .execute();
  }
}

import type { Insertable } from 'kysely';
import { timestampText } from '../../clock.ts';
import type { Pause } from '../../storage/deferral.ts';
import { NO_ACTIVATION } from '../../storage/delivery-requests.ts';
import type { ResultRules } from '../../storage/result-rules.ts';
import type { PauseTable } from '../recipient-tables.ts';
import { COLUMNS, type Tables } from '../tables.ts';
import type { WebhookDialect, WritableResult } from '../webhook-dialect.ts';

/** Whether a result pauses its webhook. */
export function pausesWebhook({ deferral }: WritableResult): boolean {
  return deferral !== undefined && deferral.pauseMs > 0;
}

/** Whether a result changes the pause of its webhook. */
export function changesPause(result: WritableResult): boolean {
  return pausesWebhook(result) || result.resumed !== undefined;
}

/** Keeps the pauses that follow from these results, in the transaction that wrote them. */
export async function pauseWebhooks(
  tables: Tables,
  dialect: Pick<WebhookDialect, 'timestamp' | 'ignoringWritten' | 'overwriting' | 'locks'>,
  written: readonly WritableResult[],
  pauseAfter: ResultRules['pauseAfter'],
): Promise<void> {
  const results = written.filter(changesPause);
  const [first] = results;
  if (first === undefined) return;
  // In ascending order, in which every process locks them.
  const idsOf = (some: readonly WritableResult[]) => [...new Set(some.map(webhookOf))].sort((a, b) => a - b);
  const begun = idsOf(results.filter(pausesWebhook)).map((webhook_id) => ({
    ...{ webhook_id, paused_until: '', activation: NO_ACTIVATION, pauses: 0 },
  }));
  if (begun.length > 0) {
    await dialect.ignoringWritten(tables.insertInto('webhook_pauses').values(begun), 'webhook_id').execute();
  }
  const rows = await tables
    .selectFrom('webhook_pauses')
    .select(['webhook_id', 'paused_until', 'activation', 'pauses'])
    .select(dialect.timestamp(first.now).as('present'))
    .where('webhook_id', 'in', idsOf(results))
    .orderBy('webhook_id')
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  const over: number[] = [];
  const changed: Insertable<PauseTable>[] = [];
  for (const { webhook_id, present, ...row } of rows) {
    const webhookId = Number(webhook_id);
    const count = Number(row.pauses);
    const before = { untilMs: Date.parse(row.paused_until), activation: Number(row.activation), count };
    let after: Pause | undefined = count === 0 ? undefined : before;
    for (const result of results) {
      if (webhookOf(result) === webhookId) after = pauseAfter(after, result, Date.parse(present));
    }
    if (after === before) continue;
    if (after === undefined) over.push(webhookId);
    else {
      const { untilMs, activation, count: pauses } = after;
      changed.push({ webhook_id, paused_until: timestampText(untilMs), activation, pauses });
    }
  }
  if (over.length > 0) await tables.deleteFrom('webhook_pauses').where('webhook_id', 'in', over).execute();
  if (changed.length > 0) {
    const insertion = tables.insertInto('webhook_pauses').values(changed);
    await dialect.overwriting(insertion, COLUMNS.webhook_pauses).execute();
  }
}

function webhookOf({ deferral, resumed }: WritableResult): number {
  return deferral?.webhookId ?? resumed?.webhookId ?? 0;
}

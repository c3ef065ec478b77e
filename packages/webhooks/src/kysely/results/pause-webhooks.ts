import { type RawBuilder, sql } from 'kysely';
import { MAX_PAUSE_MS } from '../../storage/deferral.ts';
import { nameInSql } from '../names.ts';
import type { Tables } from '../tables.ts';
import type { AttemptResult, NewPause, WebhookDialect } from '../webhook-dialect.ts';

/** Whether a result pauses its webhook. */
export function pausesWebhook({ deferral }: AttemptResult): boolean {
  return deferral !== undefined && deferral.pauseMs > 0;
}

/** Writes the pauses that these results ask for, in the transaction that wrote them. */
export async function pauseWebhooks(
  tables: Tables,
  dialect: Pick<WebhookDialect, 'timestamp' | 'pauseWebhooks'>,
  written: readonly AttemptResult[],
): Promise<void> {
  const longest = new Map<number, AttemptResult>();
  for (const result of written.filter(pausesWebhook)) {
    const webhookId = result.deferral?.webhookId ?? 0;
    const other = longest.get(webhookId);
    if (other === undefined || isLonger(result, other)) longest.set(webhookId, result);
  }
  if (longest.size === 0) return;
  const now = Math.max(...Array.from(longest.values(), (result) => result.now));
  // In ascending order, in which every process locks them.
  const pauses = [...longest]
    .sort(([a], [b]) => a - b)
    .map(([webhook_id, { activation, now, deferral }]) => ({
      webhook_id,
      paused_until: dialect.timestamp(now, deferral?.pauseMs),
      activation,
    }));
  await dialect.pauseWebhooks(tables, pauses, dialect.timestamp(now, MAX_PAUSE_MS));
}

function isLonger(a: AttemptResult, b: AttemptResult): boolean {
  if (a.activation !== b.activation) return a.activation > b.activation;
  return a.now + (a.deferral?.pauseMs ?? 0) > b.now + (b.deferral?.pauseMs ?? 0);
}

const PAUSES = nameInSql('webhook_pauses');

/** Where the database has an `on conflict`. */
export async function insertPauses(
  tables: Tables,
  pauses: readonly NewPause[],
  latest: RawBuilder<string>,
): Promise<void> {
  const isReplaced = sql`excluded.activation > ${PAUSES}.activation or (
    excluded.activation = ${PAUSES}.activation and (
      excluded.paused_until > ${PAUSES}.paused_until or ${PAUSES}.paused_until > ${latest}))`;
  await tables
    .insertInto('webhook_pauses')
    .values(pauses)
    .modifyEnd(sql`on conflict (webhook_id) do update
      set paused_until = excluded.paused_until, activation = excluded.activation where ${isReplaced}`)
    .execute();
}

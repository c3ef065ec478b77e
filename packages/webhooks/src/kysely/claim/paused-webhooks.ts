import { type RawBuilder, sql } from 'kysely';
import { MAX_PAUSE_MS } from '../../storage/deferral.ts';
import type { Given } from '../places.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/** How a webhook stands to the last pause that its recipient asked for. */
export const PAUSED = 1;
/** The pause is over, and one delivery goes first. */
export const RESUMING = 2;

/** {@link PAUSED}, {@link RESUMING} or 0: one step for each webhook asked about. */
export function pauseState(
  tables: Tables,
  dialect: Pick<WebhookDialect, 'timestamp'>,
  now: Given<number>,
  webhookId: RawBuilder<number>,
): RawBuilder<number> {
  const state = sql<number>`case when ${isOver(dialect, now)} then ${sql.lit(RESUMING)} else ${sql.lit(PAUSED)} end`;
  const kept = keptPauses(tables)
    .select(state.as('state'))
    .where('webhook_pauses.webhook_id', '=', webhookId);
  return sql<number>`coalesce((${kept}), 0)`;
}

/** The pauses that are not over, with the webhook's id and the end. */
export function pauses(tables: Tables, dialect: Pick<WebhookDialect, 'timestamp'>, now: number) {
  return keptPauses(tables)
    .select(['webhook_pauses.webhook_id', 'webhook_pauses.paused_until'])
    .where(sql<boolean>`not ${isOver(dialect, now)}`);
}

/**
 * Lets one delivery of each of these webhooks go first, for as long as its lease: returns how many
 * pauses in a row each has had, without those that another claim was faster to.
 */
export async function resumeWebhooks(
  tables: Tables,
  dialect: Pick<WebhookDialect, 'timestamp' | 'locks'>,
  webhookIds: readonly number[],
  { now, leaseMs }: { readonly now: number; readonly leaseMs: number },
): Promise<ReadonlyMap<number, number>> {
  if (webhookIds.length === 0) return new Map();
  const rows = await tables
    .selectFrom('webhook_pauses')
    .select(['webhook_id', 'pauses'])
    .where('webhook_id', 'in', webhookIds)
    .where(isOver(dialect, now))
    .orderBy('webhook_id')
    .modifyEnd(dialect.locks.forUpdateSkipLocked)
    .execute();
  const resumed = new Map(rows.map(({ webhook_id, pauses }) => [Number(webhook_id), Number(pauses)]));
  await endPausesAt(tables, [...resumed.keys()], dialect.timestamp(now, leaseMs));
  return resumed;
}

/** Sets the end of these pauses. */
export async function endPausesAt(
  tables: Tables,
  webhookIds: readonly number[],
  at: RawBuilder<string>,
): Promise<void> {
  if (webhookIds.length === 0) return;
  await tables
    .updateTable('webhook_pauses')
    .set({ paused_until: at })
    .where('webhook_id', 'in', webhookIds)
    .execute();
}

/** A pause of an earlier activation is none, and neither is that of an inactive webhook. */
function keptPauses(tables: Tables) {
  return tables
    .selectFrom('webhook_pauses')
    .innerJoin('webhooks', (join) =>
      join
        .onRef('webhooks.id', '=', 'webhook_pauses.webhook_id')
        .onRef('webhooks.activations', '=', 'webhook_pauses.activation'),
    )
    .where('webhooks.is_active', '=', 1);
}

/** Whether a pause is over, or such as a clock that was wrong leaves behind. */
function isOver(dialect: Pick<WebhookDialect, 'timestamp'>, now: Given<number>): RawBuilder<boolean> {
  return sql<boolean>`(paused_until <= ${dialect.timestamp(now)} or paused_until > ${dialect.timestamp(now, MAX_PAUSE_MS)})`;
}

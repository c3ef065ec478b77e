import { type RawBuilder, sql } from 'kysely';
import { MAX_PAUSE_MS } from '../../storage/deferral.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/**
 * Whether a webhook pauses now: one step for each webhook asked about. A pause of an earlier
 * activation is over, and so is that of an inactive webhook.
 */
export function isPaused(
  tables: Tables,
  dialect: Pick<WebhookDialect, 'timestamp'>,
  now: number,
  webhookId: RawBuilder<number>,
) {
  return sql<boolean>`exists ${pauses(tables, dialect, now).where('webhook_pauses.webhook_id', '=', webhookId)}`;
}

/** The pauses that are not over, with the webhook's id and the end. */
export function pauses(tables: Tables, dialect: Pick<WebhookDialect, 'timestamp'>, now: number) {
  return tables
    .selectFrom('webhook_pauses')
    .innerJoin('webhooks', (join) =>
      join
        .onRef('webhooks.id', '=', 'webhook_pauses.webhook_id')
        .onRef('webhooks.activations', '=', 'webhook_pauses.activation'),
    )
    .select(['webhook_pauses.webhook_id', 'webhook_pauses.paused_until'])
    .where('webhooks.is_active', '=', 1)
    .where('webhook_pauses.paused_until', '>', dialect.timestamp(now))
    .where('webhook_pauses.paused_until', '<=', dialect.timestamp(now, MAX_PAUSE_MS));
}

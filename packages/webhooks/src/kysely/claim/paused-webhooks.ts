import { type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * Whether a webhook pauses at that time: one step for each webhook asked about. A pause of an
 * earlier activation is over.
 */
export function isPaused(tables: Tables, time: RawBuilder<string>, webhookId: RawBuilder<number>) {
  return sql<boolean>`exists ${pauses(tables, time).where('webhook_pauses.webhook_id', '=', webhookId)}`;
}

/** The pauses that are not over, with the webhook's id and the end. */
export function pauses(tables: Tables, time: RawBuilder<string>) {
  return tables
    .selectFrom('webhook_pauses')
    .innerJoin('webhooks', (join) =>
      join
        .onRef('webhooks.id', '=', 'webhook_pauses.webhook_id')
        .onRef('webhooks.activations', '=', 'webhook_pauses.activation'),
    )
    .select(['webhook_pauses.webhook_id', 'webhook_pauses.paused_until'])
    .where('webhook_pauses.paused_until', '>', time);
}

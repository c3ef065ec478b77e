import { tooManyWebhooks } from '../../storage/too-many-webhooks.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/** A counter that every creation with a bound adds to first: it is the lock that they wait for. */
const CREATIONS = {
  webhook_id: 0,
  hour: 'creations',
  shard: 0,
  success: 0,
  failed: 0,
  last_success_at: '',
  last_failure_at: '',
  revision: 1,
} as const;

/**
 * Refuses a creation where the tenant has as many webhooks as it may. Creations come one after the
 * other from here to the end of the transaction: they are rare, and take milliseconds.
 */
export async function assertRoom(
  tables: Tables,
  dialect: WebhookDialect,
  tenant: string,
  max: number,
): Promise<void> {
  await dialect.addToCounters(tables, [CREATIONS]);
  const { count } = await tables
    .selectFrom('webhooks')
    .select((webhook) => webhook.fn.countAll<number>().as('count'))
    .where('tenant', '=', tenant)
    .where('is_removed', '=', 0)
    .executeTakeFirstOrThrow();
  if (Number(count) >= max) throw tooManyWebhooks(max);
}

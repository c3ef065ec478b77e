import { areKeys } from '../dialects/idempotency-keys.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/** The most keys that one statement names. */
const MAX_KEYS_PER_STATEMENT = 500;

/** Forgets the oldest keys; the caller's transaction makes it atomic. */
export async function purgeIdempotencyKeys(
  tables: Tables,
  dialect: WebhookDialect,
  request: { readonly createdBefore: string; readonly limit: number },
): Promise<number> {
  const old = await tables
    .selectFrom('webhook_idempotency_keys')
    .select(['tenant', 'event', 'key'])
    .where('created_at', '<', request.createdBefore)
    .orderBy('created_at')
    .limit(request.limit)
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  for (let start = 0; start < old.length; start += MAX_KEYS_PER_STATEMENT) {
    const some = old.slice(start, start + MAX_KEYS_PER_STATEMENT);
    await tables.deleteFrom('webhook_idempotency_keys').where(areKeys(some)).execute();
  }
  return old.length;
}

import type { KeyPurge, WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { IdempotencyKeyTable, Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';
import { closeTenant } from '../webhooks/tenant-room.ts';
import { areKeys } from './idempotency-keys.ts';

/** The most keys that one statement names. */
const MAX_KEYS_PER_STATEMENT = 500;

/** Forgets the oldest keys. A call goes on where the one before it stopped. */
export function createKeyPurging({
  dialect,
  write,
}: DatabaseAccess): Pick<WebhookStorage, 'purgeIdempotencyKeys'> {
  let stoppedAt = '';
  return {
    async purgeIdempotencyKeys(request) {
      if ('tenant' in request) {
        const { tenant, now } = request;
        // Alone: every creation waits for it, and the keys may wait for a host's transaction.
        await write((tables) => closeTenant(tables, dialect, tenant, now));
        return write((tables) => purgeTenant(tables, dialect, request));
      }
      const { removed, last } = await write((tables) => purge(tables, dialect, request, stoppedAt));
      stoppedAt = removed < request.limit ? '' : last;
      return removed;
    },
  };
}

async function purge(
  tables: Tables,
  dialect: WebhookDialect,
  request: Extract<KeyPurge, { readonly createdBefore: string }>,
  from: string,
) {
  const old = await tables
    .selectFrom('webhook_idempotency_keys')
    .select(['tenant', 'event', 'key', 'created_at'])
    .where('created_at', '>=', from)
    .where('created_at', '<', request.createdBefore)
    .orderBy('created_at')
    .limit(request.limit)
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  await forget(tables, old);
  return { removed: old.length, last: old.at(-1)?.created_at ?? '' };
}

/** A key that a host's transaction writes would be waited for until its end. */
async function purgeTenant(
  tables: Tables,
  dialect: WebhookDialect,
  { tenant, limit }: Extract<KeyPurge, { readonly tenant: string }>,
): Promise<number> {
  const keys = await tables
    .selectFrom('webhook_idempotency_keys')
    .select(['tenant', 'event', 'key'])
    .where('tenant', '=', tenant)
    .where('event', '>', '')
    .limit(limit)
    .modifyEnd(dialect.locks.forUpdateSkipLocked)
    .execute();
  // One by one: for a list MySQL may read the whole table, and waits for rows of others.
  for (const key of keys) {
    await tables
      .deleteFrom('webhook_idempotency_keys')
      .where((row) => row.and(key))
      .execute();
  }
  return keys.length;
}

async function forget(
  tables: Tables,
  keys: readonly Pick<IdempotencyKeyTable, 'tenant' | 'event' | 'key'>[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += MAX_KEYS_PER_STATEMENT) {
    const some = keys.slice(start, start + MAX_KEYS_PER_STATEMENT);
    await tables.deleteFrom('webhook_idempotency_keys').where(areKeys(some)).execute();
  }
}

import type { WebhookStorage } from '../../storage/storage.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { Tables } from '../tables.ts';
import type { WebhookDialect } from '../webhook-dialect.ts';

/** The most keys that one statement names. */
const MAX_KEYS_PER_STATEMENT = 500;

interface KeyPurge {
  readonly createdBefore: string;
  readonly limit: number;
}

/** Forgets the oldest keys. A call goes on where the one before it stopped, as purges of deliveries do. */
export function createKeyPurging({
  dialect,
  write,
}: DatabaseAccess): Pick<WebhookStorage, 'purgeIdempotencyKeys'> {
  let stoppedAt = '';
  return {
    async purgeIdempotencyKeys(request) {
      const { removed, last } = await write((tables) => purge(tables, dialect, request, stoppedAt));
      stoppedAt = removed < request.limit ? '' : last;
      return removed;
    },
  };
}

async function purge(tables: Tables, dialect: WebhookDialect, request: KeyPurge, from: string) {
  const old = await tables
    .selectFrom('webhook_idempotency_keys')
    .select(['event', 'key', 'created_at'])
    .where('created_at', '>=', from)
    .where('created_at', '<', request.createdBefore)
    .orderBy('created_at')
    .limit(request.limit)
    .modifyEnd(dialect.locks.forUpdate)
    .execute();
  for (let start = 0; start < old.length; start += MAX_KEYS_PER_STATEMENT) {
    const some = old.slice(start, start + MAX_KEYS_PER_STATEMENT);
    await tables
      .deleteFrom('webhook_idempotency_keys')
      .where((either) => either.or(some.map((one) => either.and({ event: one.event, key: one.key }))))
      .execute();
  }
  return { removed: old.length, last: old.at(-1)?.created_at ?? '' };
}

import type { Tables } from './tables.ts';

/** Forgets the oldest keys; the caller's transaction makes it one step. */
export async function purgeIdempotencyKeys(
  tables: Tables,
  request: { readonly createdBefore: string; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await tables
    .deleteFrom('webhook_idempotency_keys')
    .where((key) =>
      key(key.refTuple('event', 'key'), 'in', (keys) =>
        keys
          .selectFrom('webhook_idempotency_keys as old')
          .select(['old.event', 'old.key'])
          .where('old.created_at', '<', request.createdBefore)
          .orderBy('old.created_at')
          .limit(request.limit)
          .$asTuple('event', 'key'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

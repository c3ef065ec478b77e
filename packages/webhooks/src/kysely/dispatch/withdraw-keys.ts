import { withDeadline } from '../../../../toolkit/src/deadline.ts';
import type { DatabaseAccess } from '../database-access.ts';
import type { DispatchWithId } from './keyed-dispatch.ts';

/** All connections may be taken by transactions that wait for this: it then ends unobserved. */
const MAX_WAIT_MS = 1_000;

/**
 * Removes the idempotency keys of dispatches that failed in a host's transaction, where they are
 * committed all the same: on a database that does not bind writes to a transaction, the key can
 * come just after its end. A repeat with the same key would otherwise count as repeated, and write
 * nothing.
 *
 * Keys in a transaction that is still open are not seen. Never rejects.
 */
export async function withdrawKeys(
  { dialect, read, write }: Pick<DatabaseAccess, 'dialect' | 'read' | 'write'>,
  dispatches: readonly DispatchWithId[],
): Promise<void> {
  const ids = dispatches.filter(({ idempotencyKey }) => idempotencyKey !== undefined).map(({ id }) => id);
  if (ids.length === 0) return;
  const isCommitted = async () => {
    const rows = await read((tables) =>
      tables
        .selectFrom('webhook_idempotency_keys')
        .select('dispatch_id')
        .where('dispatch_id', 'in', ids)
        .execute(),
    );
    return rows.length > 0;
  };
  const withdraw = async () => {
    // A server's delete would wait for the host's transaction where that is still open.
    if (!dialect.isEmbedded && !(await isCommitted())) return;
    await write((tables) =>
      tables.deleteFrom('webhook_idempotency_keys').where('dispatch_id', 'in', ids).execute(),
    );
  };
  await withDeadline(withdraw(), MAX_WAIT_MS, () => undefined, { unref: true }).catch(() => undefined);
}

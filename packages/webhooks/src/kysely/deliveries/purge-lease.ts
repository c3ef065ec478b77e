import { randomBytes } from 'node:crypto';
import type { DatabaseAccess } from '../database-access.ts';

/** A process that ends while it purges leaves its lease to the others after this time. */
const LEASE_MS = 60_000;
/** The lease is renewed after this time. */
const RENEWED_AFTER_MS = 20_000;

/** What one process does at a time: two at once would wait for one another's rows. */
export interface Lease {
  /** Whether this process holds it, from now on or already. */
  hold(now: number): Promise<boolean>;
  /** Leaves it to others. */
  release(): Promise<void>;
}

export function createLease({ write, dialect }: DatabaseAccess, name: string): Lease {
  const holder = randomBytes(16).toString('hex');
  let renewedAt: number | undefined;
  return {
    async hold(now) {
      const at = performance.now();
      if (renewedAt !== undefined && at - renewedAt < RENEWED_AFTER_MS) return true;
      const isHeld = await write(async (tables) => {
        const row = { name, holder: '', until: '', state: null };
        await dialect.ignoringWritten(tables.insertInto('webhook_leases').values(row), 'name').execute();
        const { numUpdatedRows } = await tables
          .updateTable('webhook_leases')
          .set({ holder, until: dialect.timestamp(now, LEASE_MS) })
          .where('name', '=', name)
          .where((row) =>
            row.or([
              row('holder', '=', holder),
              row('until', '<', dialect.timestamp(now)),
              // A clock that was wrong has left it behind.
              row('until', '>', dialect.timestamp(now, LEASE_MS)),
            ]),
          )
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      });
      renewedAt = isHeld ? at : undefined;
      return isHeld;
    },
    async release() {
      if (renewedAt === undefined) return;
      renewedAt = undefined;
      await write((tables) =>
        tables
          .updateTable('webhook_leases')
          .set({ holder: '', until: '' })
          .where('name', '=', name)
          .where('holder', '=', holder)
          .execute(),
      );
    },
  };
}

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../example-rows.ts';
import { onPostgres, stepsOf, withoutPostgres } from './postgres-plan.ts';

const ENDED = 30_000;

test.skipIf(withoutPostgres !== undefined)(
  'a claim passes no deliveries that ended while another connection of PostgreSQL keeps a snapshot',
  () =>
    onPostgres(async ({ database, db, storage, executed }) => {
      await storage.createWebhook(NEW_WEBHOOK);
      const long = '2026-01-20T04:10:00.123Z';
      await sql`insert into webhook_deliveries (webhook_id, delivery_id, event, created_at, next_attempt_at, priority_at)
        select 1, n::text, 'order.paid', ${long}, ${long}, ${long} from generate_series(1, ${ENDED}::integer) as n`.execute(
        db,
      );
      const other = database.open<object>();
      await other.connection().execute(async (snapshot) => {
        await sql`begin isolation level repeatable read`.execute(snapshot);
        await sql`select * from webhooks`.execute(snapshot);
        await sql`update webhook_deliveries set status = 'success', priority_at = null, next_attempt_at = null`.execute(
          db,
        );
        await storage.recordDispatches([DISPATCH]);
        const blocksOf = async (isFromStart: boolean) => {
          executed.length = 0;
          await storage.claimDueDeliveries({ ...CLAIM, isFromStart, choose: () => new Map() });
          const [read] = executed;
          if (read === undefined) throw new Error('the claim read nothing');
          const [whole] = await stepsOf(db, read);
          return (whole?.['Shared Hit Blocks'] ?? 0) + (whole?.['Shared Read Blocks'] ?? 0);
        };
        expect(await blocksOf(true)).toBeGreaterThan(1_000);
        expect(await blocksOf(false)).toBeLessThan(100);
        await sql`commit`.execute(snapshot);
      });
    }),
);

test.skipIf(withoutPostgres !== undefined).each(['a purge', 'a removal'])(
  '%s passes no deliveries that it removed while another connection of PostgreSQL keeps a snapshot',
  (what) =>
    onPostgres(async ({ database, db, storage, executed }) => {
      await storage.createWebhook(NEW_WEBHOOK);
      await sql`insert into webhook_deliveries (webhook_id, delivery_id, event, created_at, status)
        select 1, n::text, 'order.paid', 
          '2026-01-20T04:' || lpad(n::text, 6, '0') || 'Z', 'success' from generate_series(1, ${ENDED}::integer) as n`.execute(
        db,
      );
      if (what === 'a removal') await storage.deleteWebhook(1);
      await db.connection().execute((one) => sql`vacuum analyze webhook_deliveries`.execute(one));
      await database
        .open<object>()
        .connection()
        .execute(async (snapshot) => {
          await sql`begin isolation level repeatable read`.execute(snapshot);
          await sql`select * from webhooks`.execute(snapshot);
          const purge = async (limit: number) => {
            const before = what === 'a purge' ? '2026-02-01' : '0001-01-01';
            return (await storage.purgeDeliveries({ createdBefore: before, now: CLAIM.now, limit })).removed;
          };
          expect([await purge(10_000), await purge(10_000)]).toEqual([10_000, 10_000]);
          executed.length = 0;
          expect(await purge(10)).toBe(10);
          const reads = executed.filter(({ sql }) => /order by.* for update|^with "gone"/s.test(sql));
          let blocks = 0;
          for (const read of reads) {
            const [whole] = await stepsOf(db, read);
            blocks += (whole?.['Shared Hit Blocks'] ?? 0) + (whole?.['Shared Read Blocks'] ?? 0);
          }
          expect(reads.length).toBeGreaterThan(0);
          expect(blocks).toBeLessThan(200);
          expect(await purge(10_000)).toBe(ENDED - 20_010);
          await sql`commit`.execute(snapshot);
        });
    }),
);

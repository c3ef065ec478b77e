import { createHash } from 'node:crypto';
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { untilFinished } from '../../../../../test/services/test-database.ts';
import { kyselySessionStore, migrateAuth } from '../../../src/kysely/index.ts';
import { newTokenRow, revokedColumns } from '../../../src/kysely/refresh-token-rows.ts';
import type { AuthTables } from '../../../src/kysely/tables.ts';
import { databaseServers } from '../database-servers.ts';

const NOW = 1_795_147_800;
const OWNER = { uid: '42', instance: '/api/admin' };
/** Sessions that have ended, each with a successor of its token: 10,000 rows. */
const ENDED = 5_000;
const LIVE = 3;
/** What three live sessions may cost: a few rows for each, for an index and a table. */
const MAX_ROWS_READ = 20;

const hex = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

function newSession(name: string) {
  return {
    ...OWNER,
    id: hex(name, 32),
    tokenHash: hex(name, 64),
    createdAt: NOW,
    expiresAt: NOW + 86_400 * 400,
    userAgent: '',
    ip: '',
  };
}

async function addEndedSessions(db: Kysely<AuthTables>): Promise<void> {
  const rows = Array.from({ length: ENDED }, (_, n) => {
    const root = newSession(`root ${n}`);
    const created = { ...newTokenRow(root), live_uid: root.uid, last_used_at: NOW };
    return [
      { ...created, ...revokedColumns({ now: NOW, reason: 'limit' }) },
      { ...newTokenRow(newSession(`successor ${n}`)), family_id: root.id },
    ];
  }).flat();
  for (let start = 0; start < rows.length; start += 500) {
    await db
      .insertInto('refresh_tokens')
      .values(rows.slice(start, start + 500))
      .execute();
  }
}

/**
 * How many rows the statements read, as each database counts them; SQLite counts none and has a
 * plan.
 */
const rowsRead: Record<string, (db: Kysely<AuthTables>, statements: CompiledQuery[]) => Promise<number>> = {
  async SQLite(db, statements) {
    for (const { sql: text, parameters } of statements) {
      const explain = sql<{ detail: string }>`explain query plan ${withParameters(text, parameters)}`;
      const { rows } = await explain.execute(db);
      const [{ detail } = { detail: '' }] = rows;
      expect(detail).toContain('(live_uid=? AND instance=?');
      expect(rows).toHaveLength(1);
    }
    const { count } = await db
      .selectFrom('refresh_tokens')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('live_uid', 'is not', null)
      .executeTakeFirstOrThrow();
    return Number(count) * statements.length;
  },

  async PostgreSQL(db, statements) {
    let read = 0;
    for (const { sql: text, parameters } of statements) {
      const explain = sql<Record<string, string>>`explain (analyze) ${withParameters(text, parameters)}`;
      const plan = (await explain.execute(db)).rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('refresh_tokens_by_user');
      for (const [, rows] of plan.matchAll(/actual .*?rows=(\d+)/g)) read += Number(rows);
      for (const [, rows] of plan.matchAll(/Rows Removed by \D*(\d+)/g)) read += Number(rows);
    }
    return read;
  },

  async 'MySQL or MariaDB'(db, statements) {
    const count = async () => {
      const { rows } = await sql<{ Value: string }>`show session status like 'Handler_read%'`.execute(db);
      return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
    };
    const idle = [await count(), await count()] as const;
    for (const { sql: text, parameters } of statements) await withParameters(text, parameters).execute(db);
    return (await count()) - idle[1] - (idle[1] - idle[0]);
  },
};

/** The statement as it was sent, with its parameters again as parameters. */
function withParameters(text: string, parameters: readonly unknown[]) {
  const parts = text.split(/\?|\$\d+/);
  return sql.join(
    parts.flatMap((part, n) =>
      n < parameters.length ? [sql.raw(part), sql`${parameters[n]}`] : [sql.raw(part)],
    ),
    sql``,
  );
}

describe.each(databaseServers)('on $name', ({ name, skipped, createEmpty }) => {
  test.skipIf(skipped)(
    'a log-in, a list and a log-out everywhere read none of the 10,000 rows of ended sessions',
    async () => {
      const database = untilFinished(await createEmpty());
      const executed: CompiledQuery[] = [];
      // One connection, because MySQL counts what a connection reads.
      const db = database.open<AuthTables>({
        maxConnections: 1,
        log: ({ query }) => void executed.push(query),
      });
      await migrateAuth(db);
      const store = kyselySessionStore(db);
      await addEndedSessions(db);
      for (let n = 0; n < LIVE; n += 1) await store.create(newSession(`live ${n}`));
      // Of its own table: those of other tests are half filled.
      const analyze = { PostgreSQL: 'analyze', SQLite: 'analyze' }[name] ?? 'analyze table';
      await sql`${sql.raw(analyze)} refresh_tokens`.execute(db);

      const readBy = async (operation: () => Promise<unknown>) => {
        executed.length = 0;
        await operation();
        const [first] = executed.filter(({ sql: text }) => /^select .* from /.test(text));
        return await rowsRead[name]?.(db, first === undefined ? [] : [first]);
      };
      const operations = [
        () => store.list({ ...OWNER, now: NOW, limit: 50 }),
        () => store.list({ ...OWNER, now: NOW, limit: 50, after: { createdAt: NOW, id: 'f' } }),
        () =>
          store.revokeOldest({ ...OWNER, newestId: hex('live 1', 32), keep: 9, now: NOW, reason: 'limit' }),
        () =>
          store.revokeAll({ ...OWNER, exceptSessionId: hex('live 1', 32), now: NOW, reason: 'revoked_all' }),
      ];
      for (const operation of operations) {
        const read = await readBy(operation);
        expect(read).toBeGreaterThan(0);
        expect(read).toBeLessThanOrEqual(MAX_ROWS_READ);
      }
    },
  );

  test.skipIf(skipped)('only the root of a session that is not revoked has live_uid', async () => {
    const database = untilFinished(await createEmpty());
    const db = database.open<AuthTables>();
    await migrateAuth(db);
    const store = kyselySessionStore(db);
    const use = (session: string, now: number) => {
      const rotation = { rotateEverySeconds: 900, reuseGraceSeconds: 30, recordUseEverySeconds: 300 };
      const successor = { salt: hex(session, 32), keyId: 'k', nextId: hex(`next ${session}`, 32) };
      const tokenHash = hex(session, 64);
      const successorHash = () => hex(`next ${session}`, 64);
      const { instance } = OWNER;
      return store.useRefreshToken({ ...rotation, ...successor, tokenHash, successorHash, instance, now });
    };
    for (const session of ['out', 'reused', 'limit', 'kept']) await store.create(newSession(session));
    await store.revoke({ ...OWNER, sessionId: hex('out', 32), now: NOW, reason: 'logout' });
    for (const session of ['reused', 'kept']) await use(session, NOW + 900);
    await use('next reused', NOW + 901);
    expect(await use('reused', NOW + 1_000)).toMatchObject({ outcome: 'reused' });
    const newestId = hex('kept', 32);
    await store.revokeOldest({ ...OWNER, newestId, keep: 1, now: NOW + 1_000, reason: 'limit' });
    const rows = await db.selectFrom('refresh_tokens').select(['id', 'live_uid']).execute();
    expect(rows).toHaveLength(6);
    expect(rows.filter(({ live_uid }) => live_uid !== null)).toEqual([{ id: newestId, live_uid: '42' }]);
  });
});

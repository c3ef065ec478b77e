import type { Kysely } from 'kysely';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import type { Session } from '../sessions/session.ts';
import {
  type Revocation,
  type RevocationQuery,
  SESSION_STORE,
  type SessionListQuery,
  type SessionStore,
} from '../sessions/store/session-store.ts';
import { tellLateCalls } from './bounded-connection.ts';
import { createSession } from './create-session.ts';
import { accessDatabase } from './database-access.ts';
import { TABLE_NAMES } from './names.ts';
import { purgeTokens } from './purge-tokens.ts';
import { clientsText, findToken, liveRootsOf, sessionOf } from './refresh-token-rows.ts';
import { revokeOldestSessions, revokeSession, revokeSessionsOf } from './revoke-sessions.ts';
import type { Tables } from './tables.ts';
import { useRefreshToken } from './use-refresh-token.ts';

/**
 * Keeps sessions and the hashes of their refresh tokens in the host's own database, in the table
 * `refresh_tokens` that `migrateAuth` creates: for `createSessions`.
 *
 * Takes the application's `Kysely` instance as it is, whatever its tables and plugins (statements
 * bypass plugins). The store opens and closes nothing: the instance stays the host's. Most status
 * polls are one `select`; what writes locks the session's row first, and is tried again, for about
 * 2 s, when the database reports a deadlock, a serialisation failure or a lock.
 *
 * SQLite 3.35 or later (several processes may share one file in WAL mode), PostgreSQL 15, MySQL 8,
 * MariaDB 10.6. A call that has no connection, or waits for a lock, for 5 s, because a transaction
 * of the host's holds it, rejects and takes no effect later. `revokeAll` takes part in an open
 * transaction of Kysely's, or in one of another library by `@acme/auth/transactions`.
 *
 * `tablePrefix` and, on PostgreSQL, `schema` are those that `migrateAuth` gets.
 *
 * @throws TypeError when `db` is no supported database, a transaction instead of an instance, or
 *   from `withSchema` without the option `schema`; when an option is unknown or out of bounds
 */
export function kyselySessionStore<DB>(db: Kysely<DB>, options: TableNameOptions = {}): SessionStore {
  refuseUnknownOptions('kyselySessionStore', options, TABLE_NAMES);
  const access = accessDatabase(db, options);
  const { read, write } = access;
  const store: SessionStore = {
    create: (session) => createSession(access, session),

    useRefreshToken: (use) => useRefreshToken(access, use),

    async findByToken({ tokenHash, instance, now }) {
      const token = await read((tables) => findToken(tables, tokenHash, instance));
      if (token === undefined || token.root.revokedAt !== null) return undefined;
      const { session } = token.root;
      return now < session.expiresAt ? { session, isRotated: token.rotation !== undefined } : undefined;
    },

    async recordClients(record) {
      const { sessionId, instance, now, expected, refreshedFrom } = record;
      const { numUpdatedRows } = await write((tables) =>
        tables
          .updateTable('refresh_tokens')
          .set({ refreshed_from: clientsText(refreshedFrom) })
          .where('id', '=', sessionId)
          .where((token) => token('id', '=', token.ref('family_id')))
          .where('instance', '=', instance)
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', now)
          .where('refreshed_from', '=', clientsText(expected))
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
    },

    revoke: (revocation) => revokeSession(access, revocation),
    revokeAll: (revocation) => revokeSessionsOf(access, revocation),
    revokeOldest: (revocation) => revokeOldestSessions(access, revocation),

    list: (query) => read((tables) => listSessions(tables, query)),
    listRevocations: (query) => read((tables) => listRevocations(tables, query)),
    purge: (options) => purgeTokens(access, options),
  };
  return tellLateCalls(store, SESSION_STORE);
}

async function listSessions(tables: Tables, query: SessionListQuery): Promise<readonly Session[]> {
  const { askedBy, after, limit } = query;
  let page = liveRootsOf(tables, query);
  if (askedBy !== undefined) {
    page = page.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('refresh_tokens as asking')
          .select('asking.id')
          .where('asking.id', '=', askedBy)
          .where('asking.live_uid', '=', query.uid)
          .where('asking.instance', '=', query.instance)
          .where('asking.revoked_at', 'is', null)
          .where('asking.expires_at', '>', query.now),
      ),
    );
  }
  // As in the list of API keys: Kysely types a condition by its table, so the two cannot share one.
  if (after !== undefined) {
    page = page
      .where('created_at', '<=', after.createdAt)
      .where((behind) =>
        behind.or([behind('created_at', '<', after.createdAt), behind('id', '<', after.id)]),
      );
  }
  const rows = await page.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(sessionOf);
}

async function listRevocations(
  tables: Tables,
  { instance, since, after, limit }: RevocationQuery,
): Promise<readonly Revocation[]> {
  let page = tables
    .selectFrom('refresh_tokens')
    .select(['id', 'uid', 'revoked_at'])
    .where('instance', '=', instance)
    .where('revoked_at', '>=', since);
  if (after !== undefined) {
    page = page
      .where('revoked_at', '>=', after.revokedAt)
      .where((behind) =>
        behind.or([behind('revoked_at', '>', after.revokedAt), behind('id', '>', after.sessionId)]),
      );
  }
  const rows = await page.orderBy('revoked_at').orderBy('id').limit(limit).execute();
  return rows.map(({ id, uid, revoked_at }) => ({ sessionId: id, uid, revokedAt: Number(revoked_at) }));
}

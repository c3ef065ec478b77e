import type { Insertable, Kysely, Selectable } from 'kysely';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import {
  API_KEY_STORE,
  type ApiKey,
  type ApiKeyQuery,
  type ApiKeyRevocation,
  type ApiKeyStore,
  type StoredApiKey,
} from '../api-keys/api-key-store.ts';
import { tellLateCalls } from './bounded-connection.ts';
import { accessDatabase, type DatabaseAccess } from './database-access.ts';
import { type ApiKeyTable, type Tables, timeOf } from './tables.ts';

const LISTED_COLUMNS = [
  'id',
  'instance',
  'uid',
  'name',
  'display_prefix',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
] as const;

type ListedRow = Pick<Selectable<ApiKeyTable>, (typeof LISTED_COLUMNS)[number]>;

/**
 * Stores API keys in the host's own database, in the table `api_keys` that `migrateAuth` creates.
 *
 * @throws TypeError when `db` is not a supported database, is a transaction instead of an instance,
 *   or comes from `withSchema` without the option `schema`; when an option is out of bounds
 */
export function kyselyApiKeyStore<DB>(db: Kysely<DB>, options: TableNameOptions = {}): ApiKeyStore {
  const access = accessDatabase(db, options);
  const { read, write } = access;
  const store: ApiKeyStore = {
    async add(key) {
      await write((tables) => tables.insertInto('api_keys').values(rowOf(key)).execute());
    },

    async findByHash({ keyHash, instance }) {
      const row = await read((tables) =>
        tables
          .selectFrom('api_keys')
          .select([...LISTED_COLUMNS, 'key_hash'])
          .where('key_hash', '=', keyHash)
          .where('instance', '=', instance)
          .executeTakeFirst(),
      );
      return row && { ...keyOf(row), keyHash: row.key_hash };
    },

    list: (query) => read((tables) => listKeys(tables, query)),
    revoke: (revocation) => revokeKey(access, revocation),

    async revokeAll(revocation) {
      const revoked = await write((tables) => revoking(tables, revocation).executeTakeFirst());
      return Number(revoked.numUpdatedRows);
    },

    async recordUse(ids, usedAt) {
      if (ids.length === 0) return;
      await write((tables) =>
        tables
          .updateTable('api_keys')
          .set({ last_used_at: usedAt })
          .where('id', 'in', ids)
          .where((key) => key.or([key('last_used_at', 'is', null), key('last_used_at', '<', usedAt)]))
          .execute(),
      );
    },
  };
  return tellLateCalls(store, API_KEY_STORE);
}

async function listKeys(
  tables: Tables,
  { uid, instance, limit, after }: ApiKeyQuery,
): Promise<readonly ApiKey[]> {
  let page = tables
    .selectFrom('api_keys')
    .select(LISTED_COLUMNS)
    .where('uid', '=', uid)
    .where('instance', '=', instance);
  // As in `listSessions`: Kysely types a condition by its table, so the two cannot share one.
  if (after !== undefined) {
    page = page
      .where('created_at', '<=', after.createdAt)
      .where((behind) =>
        behind.or([behind('created_at', '<', after.createdAt), behind('id', '<', after.id)]),
      );
  }
  const rows = await page.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.map(keyOf);
}

/** Revokes the owner's keys that still work. */
function revoking(tables: Tables, { uid, instance, now }: Omit<ApiKeyRevocation, 'id'>) {
  return tables
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('uid', '=', uid)
    .where('instance', '=', instance)
    .where('revoked_at', 'is', null);
}

async function revokeKey({ read, write }: DatabaseAccess, revocation: ApiKeyRevocation): Promise<boolean> {
  const { id, uid, instance } = revocation;
  const { numUpdatedRows } = await write((tables) =>
    revoking(tables, revocation).where('id', '=', id).executeTakeFirst(),
  );
  if (numUpdatedRows > 0n) return true;
  // Keys are never removed, so a key that exists was revoked before.
  const own = await read((tables) =>
    tables
      .selectFrom('api_keys')
      .select('id')
      .where('id', '=', id)
      .where('uid', '=', uid)
      .where('instance', '=', instance)
      .executeTakeFirst(),
  );
  return own !== undefined;
}

function rowOf(key: StoredApiKey): Insertable<ApiKeyTable> {
  return {
    id: key.id,
    instance: key.instance,
    uid: key.uid,
    name: key.name,
    display_prefix: key.displayPrefix,
    key_hash: key.keyHash,
    scopes: JSON.stringify(key.scopes),
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
  };
}

function keyOf(row: ListedRow): ApiKey {
  return {
    id: row.id,
    instance: row.instance,
    uid: row.uid,
    name: row.name,
    displayPrefix: row.display_prefix,
    scopes: scopesOf(row.scopes),
    createdAt: Number(row.created_at),
    expiresAt: timeOf(row.expires_at),
    lastUsedAt: timeOf(row.last_used_at),
    revokedAt: timeOf(row.revoked_at),
  };
}

/**
 * Parses the scopes of a row. A malformed row of another writer authenticates no request, because
 * `Claims` accepts only a list of texts.
 */
function scopesOf(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[];
}

import type { Kysely, QueryExecutorProvider } from 'kysely';
import { hasSchema, SCHEMA_IS_AN_OPTION } from '../../../toolkit/src/kysely/table-names/table-naming.ts';
import { findDialect } from './dialect.ts';

/** One step of the schema, in the shape of Kysely's own `Migration`. */
export interface AuthMigration {
  up<DB>(db: Kysely<DB>): Promise<void>;
  down<DB>(db: Kysely<DB>): Promise<void>;
}

/**
 * The schema's history by name, in order; from the first release on, entries are only ever added.
 * Until then a table changes in the migration that creates it, and its entry is renamed: a
 * database of the earlier state is refused by that name.
 *
 * For applications that keep one history in Kysely's own `Migrator`: `new Migrator({ db, provider:
 * { getMigrations: async () => authMigrations }, migrationTableName: … })`. Use either that or
 * {@link migrateAuth}, not both: each keeps its own books. The names are the default ones: with
 * `tablePrefix` or `schema`, call `migrateAuth` or print the SQL.
 *
 * A migration is one statement, indexes included: it is applied completely or not at all, on MySQL
 * too, which cannot roll back the creation of a table. Only unique indexes can be part of such a
 * statement in all four databases: each ends with a column that is unique by itself.
 */
export const authMigrations: Readonly<Record<string, AuthMigration>> = Object.freeze({
  auth_0001_create_api_keys_v3: migration(createApiKeys, 'api_keys'),
  auth_0002_create_refresh_tokens_v4: migration(createRefreshTokens, 'refresh_tokens'),
  auth_0003_create_login_failures: migration(createLoginFailures, 'login_failures'),
  auth_0004_create_one_time_tokens: migration(createOneTimeTokens, 'one_time_tokens'),
  auth_0005_create_auth_audit: migration(createAudit, 'auth_audit'),
});

/** Unix seconds need more than 32 bits from the year 2038 on. */
const TIME = 'bigint';

/** Five clients of 320 characters, each of which may take two in JSON, and the rest of the text. */
const MAX_CLIENTS_TEXT = 4_096;

function migration(up: AuthMigration['up'], table: string): AuthMigration {
  return Object.freeze({
    async up<DB>(db: Kysely<DB>) {
      refuseSchemaOf(db);
      await up(db);
    },
    async down<DB>(db: Kysely<DB>) {
      refuseSchemaOf(db);
      await db.schema.dropTable(table).execute();
    },
  });
}

/** As `migrateAuth` does: the schema of `withSchema` is not what the stores would use. */
function refuseSchemaOf(db: QueryExecutorProvider): void {
  if (hasSchema(db)) throw new TypeError(`db ${SCHEMA_IS_AN_OPTION}`);
}

async function createApiKeys<DB>(db: Kysely<DB>): Promise<void> {
  const dialect = findDialect(db);
  const keyText = await dialect.keyText(db);
  await db.schema
    .createTable('api_keys')
    .addColumn('id', keyText(32), (column) => column.primaryKey().notNull())
    .addColumn('instance', keyText(256), (column) => column.notNull())
    .addColumn('uid', keyText(128), (column) => column.notNull())
    .addColumn('name', keyText(128), (column) => column.notNull())
    .addColumn('display_prefix', keyText(64), (column) => column.notNull())
    .addColumn('key_hash', keyText(80), (column) => column.notNull())
    .addColumn('scopes', await dialect.longText(db), (column) => column.notNull())
    .addColumn('created_at', TIME, (column) => column.notNull())
    .addColumn('expires_at', TIME)
    .addColumn('last_used_at', TIME)
    .addColumn('revoked_at', TIME)
    .addColumn('created_by', keyText(128))
    .addColumn('replaced_by', keyText(32))
    .addColumn('replaced_until', TIME)
    .addUniqueConstraint('api_keys_by_hash', ['key_hash'])
    .addUniqueConstraint('api_keys_by_owner', ['uid', 'instance', 'created_at', 'id'])
    .execute();
}

async function createRefreshTokens<DB>(db: Kysely<DB>): Promise<void> {
  const keyText = await findDialect(db).keyText(db);
  await db.schema
    .createTable('refresh_tokens')
    .addColumn('id', keyText(32), (column) => column.primaryKey().notNull())
    .addColumn('token_hash', keyText(64), (column) => column.notNull())
    .addColumn('family_id', keyText(32), (column) => column.notNull())
    .addColumn('uid', keyText(128), (column) => column.notNull())
    .addColumn('instance', keyText(256), (column) => column.notNull())
    .addColumn('created_at', TIME, (column) => column.notNull())
    .addColumn('expires_at', TIME, (column) => column.notNull())
    .addColumn('last_used_at', TIME)
    .addColumn('rotated_at', TIME)
    .addColumn('successor_salt', keyText(32))
    .addColumn('successor_key_id', keyText(64))
    .addColumn('successor_used_at', TIME)
    .addColumn('live_uid', keyText(128))
    .addColumn('revoked_at', TIME)
    .addColumn('revoke_reason', keyText(32))
    .addColumn('user_agent', keyText(256), (column) => column.notNull().defaultTo(''))
    .addColumn('ip', keyText(64), (column) => column.notNull().defaultTo(''))
    .addColumn('refreshed_from', keyText(MAX_CLIENTS_TEXT), (column) => column.notNull().defaultTo('[]'))
    .addColumn('transport', keyText(16), (column) => column.notNull().defaultTo('cookie'))
    .addColumn('actor', keyText(128))
    .addUniqueConstraint('refresh_tokens_by_hash', ['token_hash'])
    // A rotation finds the one token whose successor was not presented yet, however many the family
    // has.
    .addUniqueConstraint('refresh_tokens_by_family', ['family_id', 'successor_used_at', 'id'])
    // `live_uid` is null in dead rows. With `uid` in its place, a log-in a minute for a month made
    // the next one take 136 ms on SQLite.
    .addUniqueConstraint('refresh_tokens_by_user', ['live_uid', 'instance', 'created_at', 'id'])
    .addUniqueConstraint('refresh_tokens_by_revocation', ['revoked_at', 'id'])
    .addUniqueConstraint('refresh_tokens_by_expiry', ['expires_at', 'id'])
    .execute();
}

async function createLoginFailures<DB>(db: Kysely<DB>): Promise<void> {
  const keyText = await findDialect(db).keyText(db);
  await db.schema
    .createTable('login_failures')
    .addColumn('id', keyText(64), (column) => column.primaryKey().notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('under_way', 'integer', (column) => column.notNull())
    .addColumn('expires_at', TIME, (column) => column.notNull())
    .addUniqueConstraint('login_failures_by_expiry', ['expires_at', 'id'])
    .execute();
}

/**
 * The primary key is what leaves a user one token for a purpose, whatever calls race. Nothing
 * refers to a row from elsewhere, so a row has no id.
 */
async function createOneTimeTokens<DB>(db: Kysely<DB>): Promise<void> {
  const keyText = await findDialect(db).keyText(db);
  await db.schema
    .createTable('one_time_tokens')
    .addColumn('uid', keyText(128), (column) => column.notNull())
    .addColumn('instance', keyText(256), (column) => column.notNull())
    .addColumn('purpose', keyText(64), (column) => column.notNull())
    .addColumn('token_hash', keyText(64), (column) => column.notNull())
    .addColumn('created_at', TIME, (column) => column.notNull())
    .addColumn('expires_at', TIME, (column) => column.notNull())
    .addPrimaryKeyConstraint('one_time_tokens_pkey', ['uid', 'instance', 'purpose'])
    .addUniqueConstraint('one_time_tokens_by_hash', ['token_hash'])
    .addUniqueConstraint('one_time_tokens_by_expiry', ['expires_at', 'token_hash'])
    .execute();
}

/** Who did what. Unused. */
async function createAudit<DB>(db: Kysely<DB>): Promise<void> {
  const dialect = findDialect(db);
  const keyText = await dialect.keyText(db);
  await db.schema
    .createTable('auth_audit')
    .addColumn('id', keyText(32), (column) => column.primaryKey().notNull())
    .addColumn('instance', keyText(256), (column) => column.notNull())
    .addColumn('uid', keyText(128), (column) => column.notNull())
    .addColumn('actor', keyText(128))
    .addColumn('action', keyText(64), (column) => column.notNull())
    .addColumn('details', await dialect.longText(db))
    .addColumn('created_at', TIME, (column) => column.notNull())
    .addUniqueConstraint('auth_audit_by_user', ['uid', 'instance', 'created_at', 'id'])
    .addUniqueConstraint('auth_audit_by_age', ['created_at', 'id'])
    .execute();
}

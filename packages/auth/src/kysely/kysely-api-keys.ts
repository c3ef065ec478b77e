import type { Kysely } from 'kysely';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { objectOption } from '../../../toolkit/src/options.ts';
import { type ApiKeys, createApiKeys } from '../api-keys/api-keys.ts';
import type { ApiKeysOptions } from '../api-keys/api-keys-options.ts';
import { kyselyApiKeyStore } from './api-key-store.ts';

/** Options of API keys, and the names of their table. */
export interface KyselyApiKeysOptions extends ApiKeysOptions, TableNameOptions {}

/**
 * The API keys of an instance's users, in the host's own database: create, list, revoke, and a
 * validator for the guards.
 *
 * Keys are bound to the instance that `auth`, `instance` or an explicit `prefix` names: one table
 * serves several instances, and a key of another one is unknown here.
 *
 * `tablePrefix` and, on PostgreSQL, `schema` are those that `migrateAuth` gets.
 *
 * Takes the application's `Kysely` instance as it is, whatever its tables and plugins (statements
 * bypass plugins), on SQLite, PostgreSQL, MySQL or MariaDB. It opens and closes nothing: the
 * instance stays the host's.
 *
 * ```ts
 * await migrateAuth(db);
 * const apiKeys = kyselyApiKeys(db, { auth, sessions, prefix: 'acme' });
 * app.post('/api/keys', requireAuth(auth), async (req, res) => {
 *   res.status(201).json(await apiKeys.create(claimsOf(req), req.body)); // `key` is in this answer and nowhere else
 * });
 * app.get('/api/v1/orders', requireApiKey(apiKeys.validator), …);
 * ```
 *
 * @throws TypeError when `db` is no supported database, a transaction, or from `withSchema`, an
 *   option is out of
 *   bounds, or nothing names the instance
 */
export function kyselyApiKeys<DB>(db: Kysely<DB>, options: KyselyApiKeysOptions): ApiKeys {
  objectOption('options', options);
  const { tablePrefix, schema, ...others } = options;
  return createApiKeys({ ...others, store: kyselyApiKeyStore(db, { tablePrefix, schema }) });
}

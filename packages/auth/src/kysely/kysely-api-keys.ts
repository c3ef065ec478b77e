import type { Kysely } from 'kysely';
import { type ApiKeys, createApiKeys } from '../api-keys/api-keys.ts';
import type { ApiKeysOptions } from '../api-keys/api-keys-options.ts';
import { kyselyApiKeyStore } from './api-key-store.ts';

/**
 * The API keys of an instance's users, in the host's own database: create, list, revoke, and a
 * validator for the guards.
 *
 * Keys are bound to the instance that `auth`, `instance` or an explicit `prefix` names: one table
 * serves several instances, and a key of another one is unknown here.
 *
 * Takes the application's `Kysely` instance as it is, whatever its tables and plugins (statements
 * bypass plugins), on SQLite, PostgreSQL, MySQL or MariaDB. It opens and closes nothing: the
 * instance stays the host's.
 *
 * ```ts
 * await migrateAuth(db);
 * const apiKeys = kyselyApiKeys(db, { auth, prefix: 'acme' });
 * app.post('/api/keys', requireAuth(auth), async (req, res) => {
 *   res.status(201).json(await apiKeys.create(claimsOf(req), req.body)); // `key` is in this answer and nowhere else
 * });
 * app.get('/api/v1/orders', requireApiKey(apiKeys.validator), …);
 * ```
 *
 * @throws TypeError when `db` is no supported database or a transaction, an option is out of
 *   bounds, or nothing names the instance
 */
export function kyselyApiKeys<DB>(db: Kysely<DB>, options: ApiKeysOptions): ApiKeys {
  return createApiKeys({ ...options, store: kyselyApiKeyStore(db) });
}

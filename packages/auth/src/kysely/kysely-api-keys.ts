import type { Kysely } from 'kysely';
import { type ApiKeys, type ApiKeysOptions, createApiKeys } from '../api-keys/api-keys.ts';
import { kyselyApiKeyStore } from './api-key-store.ts';

/**
 * The API keys of users, in the host's own database: create, list, revoke, and a validator for the guards.
 *
 * Takes the application's `Kysely` instance as it is, whatever its tables and plugins (statements bypass plugins), on
 * SQLite, PostgreSQL, MySQL or MariaDB. It opens and closes nothing: the instance stays the host's.
 *
 * ```ts
 * await migrateAuth(db);
 * const apiKeys = kyselyApiKeys(db, { prefix: 'acme' });
 * app.post('/api/keys', requireAuth(auth), async (req, res) => {
 *   res.status(201).json(await apiKeys.create(claimsOf(req), req.body)); // `key` is in this answer and nowhere else
 * });
 * app.get('/api/v1/orders', requireApiKey(apiKeys.validator), …);
 * ```
 *
 * @throws TypeError when `db` is no supported database or a transaction, or an option is out of bounds
 */
export function kyselyApiKeys<DB>(db: Kysely<DB>, options: ApiKeysOptions = {}): ApiKeys {
  return createApiKeys({ ...options, store: kyselyApiKeyStore(db) });
}

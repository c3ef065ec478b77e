import { describe, test } from 'vitest';
import { kyselyApiKeyStore } from '../../src/kysely/api-key-store.ts';
import { kyselyLoginFailures, kyselyOneTimeTokenStore, kyselySessionStore } from '../../src/kysely/index.ts';
import { apiKeyStoreContract } from '../../src/testing/api-key-store-contract.ts';
import { loginFailureStoreContract } from '../../src/testing/login-failure-store-contract.ts';
import { oneTimeTokenStoreContract } from '../../src/testing/one-time-token-store-contract.ts';
import { sessionStoreContract } from '../../src/testing/session-store-contract.ts';
import { namedDatabaseServers } from '../kysely/database-servers.ts';
import { storeOnDatabase } from './store-on-database.ts';

describe.each(namedDatabaseServers)('the stores on $name', ({ skipped, create, names }) => {
  const options = { hasSecondProcess: true };
  const cases = [
    ...apiKeyStoreContract(storeOnDatabase(create, kyselyApiKeyStore, {}, names), options),
    ...loginFailureStoreContract(storeOnDatabase(create, kyselyLoginFailures, {}, names), options),
    ...oneTimeTokenStoreContract(storeOnDatabase(create, kyselyOneTimeTokenStore, {}, names), options),
    ...sessionStoreContract(storeOnDatabase(create, kyselySessionStore, {}, names), options),
  ];
  for (const { name, run } of cases) test.skipIf(skipped)(name, run, 240_000);
});

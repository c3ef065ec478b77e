import type { Kysely } from 'kysely';
import type { TableNameOptions } from '../../../toolkit/src/kysely/table-names/table-name-options.ts';
import { apiKeyStoreContract } from '../../contract/api-key-store-contract.ts';
import { loginFailureStoreContract } from '../../contract/login-failure-store-contract.ts';
import { oneTimeTokenStoreContract } from '../../contract/one-time-token-store-contract.ts';
import { sessionStoreContract } from '../../contract/session-store-contract.ts';
import type { StoreContractCase } from '../../contract/store/store-contract.ts';
import type { StoreUnderTest } from '../../contract/store/store-harness.ts';
import { kyselyApiKeyStore } from '../../src/kysely/api-key-store.ts';
import { kyselyLoginFailures, kyselyOneTimeTokenStore, kyselySessionStore } from '../../src/kysely/index.ts';

type CreateStore<Store> = (db: Kysely<unknown>, names?: TableNameOptions) => Store;

/** The contracts of all stores, each case on what `underTest` opens for it. */
export function everyStore(
  underTest: <Store>(createStore: CreateStore<Store>) => () => Promise<StoreUnderTest<Store>>,
  options = { hasSecondProcess: true },
): readonly StoreContractCase[] {
  return [
    ...apiKeyStoreContract(underTest(kyselyApiKeyStore), options),
    ...loginFailureStoreContract(underTest(kyselyLoginFailures), options),
    ...oneTimeTokenStoreContract(underTest(kyselyOneTimeTokenStore), options),
    ...sessionStoreContract(underTest(kyselySessionStore), options),
  ];
}

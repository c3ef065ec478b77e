import { API_KEY_STORE, type ApiKeyStore } from '../src/api-keys/api-key-store.ts';
import { ApiKeyHarness } from './api-key-store/api-key-harness.ts';
import { instanceCases } from './api-key-store/instance-cases.ts';
import { keepingCases } from './api-key-store/keeping-cases.ts';
import { revocationCases } from './api-key-store/revocation-cases.ts';
import { type StoreContract, storeContractCases } from './store/store-contract.ts';

/**
 * The promises of `ApiKeyStore` as test cases: a store that passes them all can stand behind
 * `createApiKeys`.
 *
 * Each case makes a store of its own with `createStore`, which must be empty, and closes it. Cases
 * are independent of one another and of their order; their time is theirs, none waits. Races are
 * provoked rather than waited for: a single run proves little about a race, and a failing one is a
 * bug.
 *
 * ```ts
 * for (const { name, run } of apiKeyStoreContract(async () => ({ store: memoryApiKeyStore(), async close() {} }))) {
 *   test(name, run);
 * }
 * ```
 */
export const apiKeyStoreContract: StoreContract<ApiKeyStore> = (...given) =>
  storeContractCases(
    { wanted: API_KEY_STORE, Harness: ApiKeyHarness, topics: [keepingCases, instanceCases, revocationCases] },
    ...given,
  );

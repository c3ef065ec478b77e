import { API_KEY_STORE } from '../api-keys/api-key-store.ts';
import {
  ApiKeyHarness,
  type ApiKeyHarnessCases,
  type ApiKeyStoreUnderTest,
} from './api-key-store-contract/api-key-harness.ts';
import { instanceCases } from './api-key-store-contract/instance-cases.ts';
import { keepingCases } from './api-key-store-contract/keeping-cases.ts';
import { revocationCases } from './api-key-store-contract/revocation-cases.ts';
import {
  type StoreContractCase,
  type StoreContractOptions,
  storeContract,
} from './store-contract/store-contract.ts';

export type ApiKeyStoreContractCase = StoreContractCase;

export type ApiKeyStoreContractOptions = StoreContractOptions;

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
export function apiKeyStoreContract(
  createStore: () => Promise<ApiKeyStoreUnderTest>,
  options: ApiKeyStoreContractOptions = {},
): readonly ApiKeyStoreContractCase[] {
  return storeContract(
    API_KEY_STORE,
    createStore,
    options,
    (underTest) => new ApiKeyHarness(underTest),
    TOPICS,
  );
}

const TOPICS: readonly ApiKeyHarnessCases[] = [keepingCases, instanceCases, revocationCases];

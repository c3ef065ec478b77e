import { ONE_TIME_TOKEN_STORE, type OneTimeTokenStore } from '../src/one-time-tokens/one-time-token-store.ts';
import { endingCases } from './one-time-token-store/ending-cases.ts';
import { issuingCases } from './one-time-token-store/issuing-cases.ts';
import { OneTimeTokenHarness } from './one-time-token-store/one-time-token-harness.ts';
import { type StoreContract, storeContractCases } from './store/store-contract.ts';

/**
 * The promises of `OneTimeTokenStore` as test cases: a store that passes them all can stand behind
 * `createOneTimeTokens`. A store that takes part in transactions of the host has to prove that by
 * tests of its own, because only these can open one.
 *
 * Each case makes a store of its own with `createStore`, which must be empty, and closes it. Cases
 * are independent of one another and of their order; their time is theirs, none waits. Races are
 * provoked rather than waited for: a single run proves little about a race, and a failing one is a
 * bug.
 *
 * ```ts
 * const createStore = async () => ({ store: memoryOneTimeTokenStore(), async close() {} });
 * for (const { name, run } of oneTimeTokenStoreContract(createStore)) test(name, run);
 * ```
 */
export const oneTimeTokenStoreContract: StoreContract<OneTimeTokenStore> = (...given) =>
  storeContractCases(
    { wanted: ONE_TIME_TOKEN_STORE, Harness: OneTimeTokenHarness, topics: [issuingCases, endingCases] },
    ...given,
  );

import { LOGIN_FAILURE_STORE, type LoginFailureStore } from '../src/throttle/login-failure-store.ts';
import { addingCases } from './login-failure-store/adding-cases.ts';
import { forgettingCases } from './login-failure-store/forgetting-cases.ts';
import { LoginFailureHarness } from './login-failure-store/login-failure-harness.ts';
import { type StoreContract, storeContractCases } from './store/store-contract.ts';

/**
 * The promises of `LoginFailureStore` as test cases: a store that passes them all can stand behind
 * `loginThrottle`.
 *
 * Each case makes a store of its own with `createStore`, and closes it. Keys are random, so that a
 * store may be shared. Cases are independent of one another and of their order; none waits. Races
 * are provoked rather than waited for: a single run proves little about a race, and a failing one
 * is a bug.
 *
 * ```ts
 * for (const { name, run } of loginFailureStoreContract(async () => ({ store, async close() {} }))) {
 *   test(name, run);
 * }
 * ```
 */
export const loginFailureStoreContract: StoreContract<LoginFailureStore> = (...given) =>
  storeContractCases(
    { wanted: LOGIN_FAILURE_STORE, Harness: LoginFailureHarness, topics: [addingCases, forgettingCases] },
    ...given,
  );

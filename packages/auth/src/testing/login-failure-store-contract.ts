import { addingCases } from './login-failure-store-contract/adding-cases.ts';
import { forgettingCases } from './login-failure-store-contract/forgetting-cases.ts';
import {
  LoginFailureHarness,
  type LoginFailureHarnessCase,
  type LoginFailureStoreUnderTest,
} from './login-failure-store-contract/login-failure-harness.ts';

/** A case of the contract, for any test runner: `test(name, run)`. */
export interface LoginFailureStoreContractCase {
  /** A sentence in the present tense. */
  readonly name: string;
  /**
   * Rejects with an `AssertionError` where the promise is broken, and with the store's error where
   * it fails.
   */
  run(): Promise<void>;
}

export interface LoginFailureStoreContractOptions {
  /**
   * `createStore` gives a `secondProcess`: races then run over both connections. Default: false.
   */
  readonly hasSecondProcess?: boolean;
}

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
export function loginFailureStoreContract(
  createStore: () => Promise<LoginFailureStoreUnderTest>,
  { hasSecondProcess = false }: LoginFailureStoreContractOptions = {},
): readonly LoginFailureStoreContractCase[] {
  return CASES.filter(({ needsSecondProcess = false }) => hasSecondProcess || !needsSecondProcess).map(
    (contractCase) => ({
      name: contractCase.name,
      async run() {
        const underTest = await createStore();
        try {
          await contractCase.run(new LoginFailureHarness(underTest));
        } finally {
          await underTest.close();
        }
      },
    }),
  );
}

const CASES: readonly LoginFailureHarnessCase[] = [...addingCases, ...forgettingCases];

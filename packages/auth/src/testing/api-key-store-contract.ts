import {
  ApiKeyHarness,
  type ApiKeyHarnessCase,
  type ApiKeyStoreUnderTest,
} from './api-key-store-contract/api-key-harness.ts';
import { instanceCases } from './api-key-store-contract/instance-cases.ts';
import { keepingCases } from './api-key-store-contract/keeping-cases.ts';
import { revocationCases } from './api-key-store-contract/revocation-cases.ts';

/** A case of the contract, for any test runner: `test(name, run)`. */
export interface ApiKeyStoreContractCase {
  /** A sentence in the present tense. */
  readonly name: string;
  /**
   * Rejects with an `AssertionError` where the promise is broken, and with the store's error where
   * it fails.
   */
  run(): Promise<void>;
}

export interface ApiKeyStoreContractOptions {
  /**
   * `createStore` gives a `secondProcess`: races then run over both connections. Default: false.
   */
  readonly hasSecondProcess?: boolean;
}

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
  { hasSecondProcess = false }: ApiKeyStoreContractOptions = {},
): readonly ApiKeyStoreContractCase[] {
  return CASES.filter(({ needsSecondProcess = false }) => hasSecondProcess || !needsSecondProcess).map(
    (contractCase) => ({
      name: contractCase.name,
      async run() {
        const underTest = await createStore();
        try {
          await contractCase.run(new ApiKeyHarness(underTest));
        } finally {
          await underTest.close();
        }
      },
    }),
  );
}

const CASES: readonly ApiKeyHarnessCase[] = [...keepingCases, ...instanceCases, ...revocationCases];

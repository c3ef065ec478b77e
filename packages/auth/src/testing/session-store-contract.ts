import { clientCases } from './session-store-contract/client-cases.ts';
import { lifeCases } from './session-store-contract/life-cases.ts';
import { limitCases } from './session-store-contract/limit-cases.ts';
import { revocationCases } from './session-store-contract/revocation-cases.ts';
import { rotationCases } from './session-store-contract/rotation-cases.ts';
import {
  SessionHarness,
  type SessionHarnessCase,
  type SessionStoreUnderTest,
} from './session-store-contract/session-harness.ts';

/** A case of the contract, for any test runner: `test(name, run)`. */
export interface SessionStoreContractCase {
  /** A sentence in the present tense. */
  readonly name: string;
  /**
   * Rejects with an `AssertionError` where the promise is broken, and with the store's error where
   * it fails.
   */
  run(): Promise<void>;
}

export interface SessionStoreContractOptions {
  /**
   * `createStore` gives a `secondProcess`: races then run over both connections. Default: false.
   */
  readonly hasSecondProcess?: boolean;
}

/**
 * The promises of `SessionStore` as test cases: a store that passes them all can stand behind
 * `createSessions`.
 *
 * Each case makes a store of its own with `createStore`, which must be empty, and closes it. Cases
 * are independent of one another and of their order; their time is theirs, none waits. Races are
 * provoked rather than waited for: a single run proves little about a race, and a failing one is a
 * bug.
 *
 * ```ts
 * for (const { name, run } of sessionStoreContract(async () => ({ store: memorySessionStore(), async close() {} }))) {
 *   test(name, run);
 * }
 * ```
 */
export function sessionStoreContract(
  createStore: () => Promise<SessionStoreUnderTest>,
  { hasSecondProcess = false }: SessionStoreContractOptions = {},
): readonly SessionStoreContractCase[] {
  return CASES.filter(({ needsSecondProcess = false }) => hasSecondProcess || !needsSecondProcess).map(
    (contractCase) => ({
      name: contractCase.name,
      async run() {
        const underTest = await createStore();
        try {
          await contractCase.run(new SessionHarness(underTest));
        } finally {
          await underTest.close();
        }
      },
    }),
  );
}

const CASES: readonly SessionHarnessCase[] = [
  ...lifeCases,
  ...rotationCases,
  ...clientCases,
  ...revocationCases,
  ...limitCases,
];

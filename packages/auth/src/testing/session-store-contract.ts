import { SESSION_STORE, type SessionStore } from '../sessions/store/session-store.ts';
import { askedByCases } from './session-store-contract/asked-by-cases.ts';
import { clientCases } from './session-store-contract/client-cases.ts';
import { lifeCases } from './session-store-contract/life-cases.ts';
import { limitCases } from './session-store-contract/limit-cases.ts';
import { replacementCases } from './session-store-contract/replacement-cases.ts';
import { revocationCases } from './session-store-contract/revocation-cases.ts';
import { rotationCases } from './session-store-contract/rotation-cases.ts';
import { SessionHarness } from './session-store-contract/session-harness.ts';
import { type StoreContract, storeContractCases } from './store-contract/store-contract.ts';

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
export const sessionStoreContract: StoreContract<SessionStore> = (...given) =>
  storeContractCases(
    {
      wanted: SESSION_STORE,
      Harness: SessionHarness,
      topics: [
        lifeCases,
        rotationCases,
        clientCases,
        revocationCases,
        replacementCases,
        askedByCases,
        limitCases,
      ],
    },
    ...given,
  );

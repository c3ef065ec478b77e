import { SESSION_STORE, type SessionStore } from '../src/sessions/store/session-store.ts';
import { askedByCases } from './session-store/asked-by-cases.ts';
import { clientCases } from './session-store/client-cases.ts';
import { lifeCases } from './session-store/life-cases.ts';
import { limitCases } from './session-store/limit-cases.ts';
import { replacementCases } from './session-store/replacement-cases.ts';
import { revocationCases } from './session-store/revocation-cases.ts';
import { rotationCases } from './session-store/rotation-cases.ts';
import { SessionHarness } from './session-store/session-harness.ts';
import { type StoreContract, storeContractCases } from './store/store-contract.ts';

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

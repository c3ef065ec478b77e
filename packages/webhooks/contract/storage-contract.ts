import { CallRecord } from '../../toolkit/contract/call-record.ts';
import { withAdvice } from '../../toolkit/contract/with-advice.ts';
import { refuseUnknownOptions } from '../../toolkit/src/options.ts';
import { withMembers } from '../../toolkit/src/with-members.ts';
import type { WebhookStorage } from '../src/storage/storage.ts';
import { WEBHOOK_STORAGE } from '../src/storage/storage-methods.ts';
import { assertAnnounced } from './assert-announced.ts';
import { choiceCases } from './storage/claims/choice-cases.ts';
import { claimCases } from './storage/claims/claim-cases.ts';
import { pauseCases } from './storage/claims/pause-cases.ts';
import { readyQueueCases } from './storage/claims/ready-queue-cases.ts';
import {
  ContractHarness,
  type HarnessCase,
  type HarnessCases,
  type StorageUnderTest,
} from './storage/contract-harness.ts';
import { dispatchCases } from './storage/dispatch/dispatch-cases.ts';
import { idempotencyCases } from './storage/dispatch/idempotency-cases.ts';
import { retryCases } from './storage/dispatch/retry-cases.ts';
import { tenantCases } from './storage/dispatch/tenant-cases.ts';
import { textCases } from './storage/dispatch/text-cases.ts';
import { transactionCases } from './storage/dispatch/transaction-cases.ts';
import type { ContractClock } from './storage/harness-reads.ts';
import { activityCases } from './storage/history/activity-cases.ts';
import { backlogCases } from './storage/history/backlog-cases.ts';
import { expiryCases } from './storage/history/expiry-cases.ts';
import { findCases } from './storage/history/find-cases.ts';
import { historyCases } from './storage/history/history-cases.ts';
import { purgeCases } from './storage/history/purge-cases.ts';
import { interleavingCases } from './storage/races/interleaving-cases.ts';
import { secondProcessCases } from './storage/races/second-process-cases.ts';
import { groupCases } from './storage/results/group-cases.ts';
import { recordCases } from './storage/results/record-cases.ts';
import { recoveryCases } from './storage/results/recovery-cases.ts';
import { reopenCases } from './storage/results/reopen-cases.ts';
import { changeCases } from './storage/webhooks/change-cases.ts';
import { deactivationCases } from './storage/webhooks/deactivation-cases.ts';
import { failureRunCases } from './storage/webhooks/failure-run-cases.ts';
import { healthCases } from './storage/webhooks/health-cases.ts';
import { removalCases } from './storage/webhooks/removal-cases.ts';
import { revisionCases } from './storage/webhooks/revision-cases.ts';
import { rotationCases } from './storage/webhooks/rotation-cases.ts';
import { tenantRemovalCases } from './storage/webhooks/tenant-removal-cases.ts';
import { webhookCases } from './storage/webhooks/webhook-cases.ts';

/** A case of a contract, for any test runner: `test(name, run)`. */
export interface ContractCase {
  /** A sentence in the present tense. */
  readonly name: string;
  /**
   * Rejects with an `AssertionError` if the promise is broken, and with the storage's or queue's
   * error if it fails. The message names the promise and what to implement, or the methods that
   * are missing.
   */
  run(): Promise<void>;
}

/**
 * The optional members that `createStorage` gives: the contract then includes the cases for them.
 * One case fails if these options differ from what `createStorage` gives.
 */
export interface StorageContractOptions {
  /**
   * Whose clock decides what is due and which lease has ended. With `database`, cases that need
   * time to pass really wait (leases of one second; some six seconds at most), and those about
   * single milliseconds and about minutes are left out. Default: `caller`.
   */
  readonly clock?: ContractClock;
  /** `createStorage` gives `inTransaction`. Default: false. */
  readonly hasTransactions?: boolean;
  /** `createStorage` gives a `secondProcess`. Default: false. */
  readonly hasSecondProcess?: boolean;
  /** `createStorage` gives an `unreliable` storage. Default: false. */
  readonly hasLostAnswers?: boolean;
}

/**
 * The promises of `WebhookStorage` as test cases: a storage that passes them all works with
 * `createWebhooks`.
 *
 * Each case creates a storage with `createStorage`, which must be empty, and closes it. Cases are
 * independent of one another and of their order. They provoke races rather than wait for them, by
 * interleaving calls. A single run proves little about a race, and a failing one is a bug.
 *
 * @example
 * const cases = storageContract(async () => ({ storage: memoryStorage(), async close() {} }));
 * for (const { name, run } of cases) test(name, run);
 */
export function storageContract<Transaction = never>(
  createStorage: () => Promise<StorageUnderTest<Transaction>>,
  options: StorageContractOptions = {},
): readonly ContractCase[] {
  refuseUnknownOptions('storageContract', options, [
    'clock',
    'hasTransactions',
    'hasSecondProcess',
    'hasLostAnswers',
  ]);
  const { clock = 'caller', hasTransactions = false } = options;
  const { hasSecondProcess = false, hasLostAnswers = false } = options;
  const isOffered = {
    callerClock: clock === 'caller',
    databaseClock: clock === 'database',
    transactions: hasTransactions,
    secondProcess: hasSecondProcess,
    lostAnswers: hasLostAnswers,
  };
  const announcedCase: HarnessCase = {
    name: 'is proved as what it is: what createStorage gives is what the options say',
    async run({ underTest: { inTransaction, secondProcess, unreliable } }) {
      assertAnnounced([
        { member: 'inTransaction', given: inTransaction, option: 'hasTransactions', isSet: hasTransactions },
        {
          member: 'secondProcess',
          given: secondProcess,
          option: 'hasSecondProcess',
          isSet: hasSecondProcess,
        },
        { member: 'unreliable', given: unreliable, option: 'hasLostAnswers', isSet: hasLostAnswers },
      ]);
    },
  };
  const cases = CONTRACT_CASES.filter(({ needs }) => needs === undefined || isOffered[needs]);
  return [announcedCase, ...cases].map((harnessCase) => ({
    name: harnessCase.name,
    async run() {
      const underTest = await createStorage();
      try {
        const calls = new CallRecord<WebhookStorage<Transaction>>(WEBHOOK_STORAGE);
        await withAdvice(
          harnessCase,
          () => calls.advice(),
          () => harnessCase.run(new ContractHarness(recorded(underTest, calls), clock)),
        );
      } finally {
        await underTest.close();
      }
    },
  }));
}

function recorded<Transaction>(
  underTest: StorageUnderTest<Transaction>,
  calls: CallRecord<WebhookStorage<Transaction>>,
): StorageUnderTest<Transaction> {
  const { storage, secondProcess, unreliable } = underTest;
  return withMembers<StorageUnderTest<Transaction>>(underTest, {
    storage: calls.of('storage', storage),
    ...(secondProcess !== undefined && { secondProcess: calls.of('secondProcess', secondProcess) }),
    ...(unreliable !== undefined && {
      unreliable: withMembers(unreliable, {
        storage: calls.of('unreliable.storage', unreliable.storage),
      }),
    }),
  });
}

const CONTRACT_CASES: readonly HarnessCase[] = [
  webhookCases,
  removalCases,
  tenantRemovalCases,
  changeCases,
  rotationCases,
  healthCases,
  revisionCases,
  deactivationCases,
  failureRunCases,
  dispatchCases,
  tenantCases,
  textCases,
  idempotencyCases,
  retryCases,
  claimCases,
  readyQueueCases,
  choiceCases,
  pauseCases,
  recordCases,
  groupCases,
  reopenCases,
  recoveryCases,
  historyCases,
  findCases,
  activityCases,
  purgeCases,
  expiryCases,
  backlogCases,
  transactionCases,
  secondProcessCases,
  interleavingCases,
].flatMap((cases: HarnessCases) =>
  Object.entries(cases).map(([name, given]) =>
    typeof given === 'function' ? { name, run: given } : { name, ...given },
  ),
);

import { withAdvice } from '../../toolkit/contract/with-advice.ts';
import { refuseUnknownOptions } from '../../toolkit/src/options.ts';
import { assertAnnounced } from './assert-announced.ts';
import { jobCases } from './queue/job-cases.ts';
import { lifecycleCases } from './queue/lifecycle-cases.ts';
import { outageCases } from './queue/outage-cases.ts';
import { processCases } from './queue/process-cases.ts';
import { type QueueCase, QueueHarness, type QueueUnderTest } from './queue/queue-harness.ts';
import type { ContractCase } from './storage-contract.ts';

/**
 * The optional members that `createQueue` gives: the contract then includes the cases for them. One
 * case fails if these options differ from what `createQueue` gives.
 */
export interface QueueContractOptions {
  /** `createQueue` gives `secondProcess`: the queue serves several processes. Default: false. */
  readonly hasSecondProcess?: boolean;
  /**
   * The backend keeps jobs for a worker that starts later. `false` for one that only signals, as
   * PostgreSQL's `NOTIFY` and Redis pub/sub do: a job that no running worker heard of waits for a
   * sweep. Counts with `hasSecondProcess` only. Default: true.
   */
  readonly keepsJobs?: boolean;
  /** `createQueue` gives `cutOff`: there is a backend that can be away. Default: false. */
  readonly hasOutages?: boolean;
  /**
   * The longest that a due poll may take to reach an idle worker. The contract watches twice as
   * long for what must *not* happen, so that a value that is too small overlooks faults and reports
   * none. It waits twenty times as long for what must happen. Default: 1,000.
   */
  readonly latencyMs?: number;
}

/**
 * The promises of `DeliveryQueue` as test cases: a queue that passes them all works with
 * `createWebhooks`.
 *
 * Each case creates a queue with `createQueue`, on a backend without jobs, and closes it. Cases are
 * independent of one another and of their order. They run in real time: they wait for what must
 * happen, however long the machine takes, and never fail because something came late.
 *
 * @example
 * const cases = queueContract(async () => ({ queue: inProcessQueue(), async close() {} }));
 * for (const { name, run } of cases) test(name, run);
 */
export function queueContract(
  createQueue: () => Promise<QueueUnderTest>,
  options: QueueContractOptions = {},
): readonly ContractCase[] {
  refuseUnknownOptions('queueContract', options, [
    'hasSecondProcess',
    'keepsJobs',
    'hasOutages',
    'latencyMs',
  ]);
  const { hasSecondProcess = false, keepsJobs = true, hasOutages = false } = options;
  const { latencyMs = 1_000 } = options;
  const isOffered = {
    secondProcess: hasSecondProcess,
    keptJobs: hasSecondProcess && keepsJobs,
    outages: hasOutages,
  };
  const announcedCase: QueueCase = {
    name: 'is proved as what it is: what createQueue gives is what the options say',
    hint: 'Return a member of QueueUnderTest and set its option, or do neither.',
    async run({ underTest }) {
      assertAnnounced([
        {
          member: 'secondProcess',
          given: underTest.secondProcess,
          option: 'hasSecondProcess',
          isSet: hasSecondProcess,
        },
        { member: 'cutOff', given: underTest.cutOff, option: 'hasOutages', isSet: hasOutages },
      ]);
    },
  };
  const cases = QUEUE_CASES.filter(({ needs }) => needs === undefined || isOffered[needs]);
  return [announcedCase, ...cases].map((queueCase) => ({
    name: queueCase.name,
    async run() {
      const underTest = await createQueue();
      await withAdvice(
        queueCase,
        () => queueCase.hint,
        () => runOn(underTest, queueCase, { latencyMs, timeoutMs: 20 * latencyMs }),
      );
    },
  }));
}

async function runOn(
  underTest: QueueUnderTest,
  { run }: QueueCase,
  limits: { readonly latencyMs: number; readonly timeoutMs: number },
): Promise<void> {
  let harness: QueueHarness;
  try {
    harness = new QueueHarness(underTest, limits);
  } catch (error) {
    await underTest.close();
    throw error;
  }
  try {
    await run(harness);
  } finally {
    await harness.close();
  }
}

const QUEUE_CASES: readonly QueueCase[] = [...jobCases, ...lifecycleCases, ...processCases, ...outageCases];

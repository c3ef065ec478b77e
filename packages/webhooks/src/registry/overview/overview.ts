import type { Clock } from '../../clock.ts';
import type { SharedReads } from '../shared-reads.ts';
import { findProblems } from './find-problems.ts';
import type { Overview, OverviewStorage } from './overview-records.ts';
import { readNumbers } from './read-numbers.ts';

/** Tells how deliveries fare. */
export interface OverviewReader {
  /**
   * Says how the deliveries of the last day fared, how long recipients take, what waits, each
   * beside the day before, and what is wrong: by webhook and cause, with what may have brought it
   * about.
   *
   * It adds up the counters of 24 hours, and reads the attempts of at most 200 deliveries; of the
   * day before once an hour. Of the webhooks that fare worst, until 20 have a problem, it reads at
   * most 300 deliveries each. Where the numbers take longer than 250 ms, they may be up to 15 s
   * old.
   *
   * @throws WebhookError `storage_unavailable`
   */
  overview(): Promise<Overview>;
}

/** @internal */
export function createOverviewReader(deps: {
  readonly storage: OverviewStorage;
  readonly clock: Clock;
  readonly share: SharedReads;
  readonly readBacklogs: (tenant?: string) => Promise<Overview['backlogs']>;
  readonly tenant?: string | undefined;
}): OverviewReader {
  const { storage, clock, share, tenant } = deps;
  // What was repaired is no problem any more.
  const neverKept = () => 0;
  return {
    async overview() {
      const problems = await share(['problems', tenant], () => findProblems(storage, clock()), neverKept);
      const numbers = await share(['numbers', tenant], () => readNumbers(deps, clock()));
      const backlogs = await deps.readBacklogs(tenant);
      return { ...numbers, backlogs, problems: problems.problems, hasMoreProblems: problems.hasMore };
    },
  };
}

import type { Clock } from '../../clock.ts';
import { findProblems } from './find-problems.ts';
import { keptIfSlow } from './kept-if-slow.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { Overview, OverviewStorage } from './overview-records.ts';
import { createNumbersReader } from './read-numbers.ts';

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
export function createOverviewReader({
  storage,
  clock,
}: {
  readonly storage: OverviewStorage;
  readonly clock: Clock;
}): OverviewReader {
  const readNumbers = createNumbersReader(storage);
  const read = keptIfSlow(() => readNumbers(clock()));
  // Never kept: what was repaired is no problem any more. Everybody looks when much is wrong.
  const readProblems = oneAtATime(() => findProblems(storage, clock()));
  return {
    async overview() {
      const numbers = await read();
      const { problems, hasMore } = await readProblems();
      return { ...numbers, problems, hasMoreProblems: hasMore };
    },
  };
}

import { expect, it } from 'vitest';
import { endedRun, NO_RUN, runAfter } from '../../src/storage/failure-run.ts';

it('keeps the end of a run that a success set beside further failures, whatever else is known of it', () => {
  const since = '2026-11-20T00:00:00.000Z';
  const endedAt = '2026-11-20T00:20:00.000Z';
  const ended = { ...NO_RUN, activation: 1, failed: 3, since, secondAt: since, lastAt: since, endedAt };
  const failed = (at: string) => ({ activation: 1, at, happened: { failedWith: 'timeout' } });

  // Recorded by a transaction that reads the end of the run, and not yet the counted success.
  expect(runAfter(ended, [failed('2026-11-20T00:19:00.000Z')], '')).toEqual(ended);
  const after = runAfter(ended, [failed('2026-11-20T00:21:00.000Z')], '');
  expect(after).toMatchObject({ failed: 1, endedAt: '', recoverFrom: since, recoverUntil: endedAt });
  expect(endedRun(ended, 1)).toMatchObject({ recoverFrom: since, recoverUntil: endedAt });
});

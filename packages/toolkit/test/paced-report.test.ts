import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPacedReport, REPORT_INTERVAL_MS } from '../src/paced-report.ts';
import { numberTimers } from './number-timers.ts';

describe('a paced report', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('comes at once for the first, then once a minute with the number and the last of them', () => {
    numberTimers();
    const told: unknown[] = [];
    const { note } = createPacedReport((...report) => told.push(report));
    note('a');
    expect(told.splice(0)).toEqual([[1, 'a']]);
    note('b');
    note('c', 5);
    vi.advanceTimersByTime(REPORT_INTERVAL_MS - 1);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told.splice(0)).toEqual([[6, 'c']]);
    note('d');
    expect(told).toEqual([]);
    vi.advanceTimersByTime(REPORT_INTERVAL_MS);
    expect(told.splice(0)).toEqual([[1, 'd']]);
    vi.advanceTimersByTime(REPORT_INTERVAL_MS);
    expect([told, vi.getTimerCount()]).toEqual([[], 0]);
    note('e');
    expect(told).toEqual([[1, 'e']]);
  });

  it('tells what several requests have caused in the asynchronous context of none', () => {
    const request = new AsyncLocalStorage<string>();
    const told: unknown[] = [];
    const { note } = createPacedReport((count) => told.push([count, request.getStore()]));
    for (const name of ['a', 'b', 'c']) request.run(name, note);
    // Fake timers call back in the context in which they are moved.
    request.run('d', () => vi.advanceTimersByTime(REPORT_INTERVAL_MS));
    expect(told).toEqual([
      [1, 'a'],
      [2, undefined],
    ]);
  });
});

import { onTestFinished, vi } from 'vitest';

/** A clock that stands still until it is moved. */
export interface FakeClock {
  (): number;
  advance(seconds: number): void;
}

/** 2026-11-20T04:10:00Z, in Unix seconds: where every fake clock starts. */
export const START = 1_795_147_800;

export function fakeClock(): FakeClock {
  let milliseconds = START * 1000;
  return Object.assign(() => milliseconds, {
    advance(seconds: number) {
      milliseconds += seconds * 1000;
    },
  });
}

/** The same in place of the system's clock, until the end of the test. */
export function fakeDate(): FakeClock {
  const clock = fakeClock();
  vi.useFakeTimers({ toFake: ['Date'], now: clock() });
  onTestFinished(() => void vi.useRealTimers());
  const advance = (seconds: number) => {
    clock.advance(seconds);
    vi.setSystemTime(clock());
  };
  return Object.assign(() => clock(), { advance });
}

/** The little of an instance that names what is bound to it, and gives it a clock and a logger. */
export function instanceAt(clock: () => number, audience = '/api', error = (_fields: object): void => {}) {
  return { options: { audience, clock, logger: { error } } };
}

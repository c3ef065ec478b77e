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

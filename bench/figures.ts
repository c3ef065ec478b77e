import { appendFileSync } from 'node:fs';

/** Where benchmarks keep their figures: a file, a line of JSON for each. Unset, they only print. */
export const RESULTS_VARIABLE = 'BENCH_RESULTS';

/** How two runs compare: the time of `run` divided by that of `base`. */
export interface RecordedRatio {
  readonly title: string;
  readonly run: string;
  readonly base: string;
  /** The median of the repetitions, with the lowest and the highest of them. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** What one run took, or had. */
export interface RecordedValue {
  readonly title: string;
  readonly run: string;
  readonly value: number;
  /** Such as `ms` or `MiB`. */
  readonly unit: string;
}

/** Keeps a figure with three digits where {@link RESULTS_VARIABLE} says. */
export function recordFigure(figure: RecordedRatio | RecordedValue): void {
  const file = process.env[RESULTS_VARIABLE];
  if (file === undefined) return;
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(3)) : value;
  appendFileSync(file, `${JSON.stringify(figure, rounded)}\n`);
}

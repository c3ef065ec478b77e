import { recordFigure } from './figures.ts';

/** One way of doing the task that is measured. */
export interface Contender {
  readonly name: string;
  /** Does the task once; a promise is awaited before the next one starts, and its cost counts. */
  run(index: number): unknown;
  /** Runs before each measurement, untimed. */
  prepare?(): void;
}

/**
 * A ratio that the project promises: how many times the rate of `rival` the `contender` has at
 * least.
 */
export interface Aim {
  readonly contender: string;
  readonly rival: string;
  readonly atLeast: number;
}

export interface Race {
  readonly title: string;
  /** The first is the one that the others are compared with. */
  readonly contenders: readonly Contender[];
  readonly aims?: readonly Aim[];
  /** Most runs of one measurement. Default 20,000. */
  readonly maxRuns?: number;
}

const ROUNDS = 21;
const MEASUREMENT_MS = 25;
const MAX_RUNS = 20_000;

/**
 * Measures all contenders one after the other, round after round, each round beginning with another
 * one, and prints the median time of each.
 *
 * A ratio is the median of the ratios within each round: what else the machine does slows down
 * neighbouring measurements alike, so the ratio holds where the times do not.
 */
export async function race({ title, contenders, aims = [], maxRuns = MAX_RUNS }: Race): Promise<void> {
  const runs = new Map<string, number>();
  for (const contender of contenders) {
    await measure(contender, Math.min(maxRuns, 2_000));
    const warm = await measure(contender, Math.min(maxRuns, 500));
    runs.set(contender.name, Math.min(maxRuns, Math.max(50, Math.round((MEASUREMENT_MS * 1e6) / warm))));
  }
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (let index = 0; index < contenders.length; index++) {
      const contender = contenders[(round + index) % contenders.length];
      if (contender === undefined) continue;
      times.get(contender.name)?.push(await measure(contender, runs.get(contender.name) ?? 1));
    }
  }
  // Turns are pushed in the order of the rounds, so that the same index is the same round.
  report(title, times, aims);
}

/** Nanoseconds per run. */
async function measure({ run, prepare }: Contender, runs: number): Promise<number> {
  prepare?.();
  const isAsync = run(0) instanceof Promise;
  prepare?.();
  const start = process.hrtime.bigint();
  if (isAsync) for (let index = 0; index < runs; index++) await run(index);
  else for (let index = 0; index < runs; index++) run(index);
  return Number(process.hrtime.bigint() - start) / runs;
}

function report(title: string, times: ReadonlyMap<string, number[]>, aims: readonly Aim[]): void {
  console.log(`\n${title}`);
  const [[first = '', base = []] = []] = times;
  for (const [name, values] of times) {
    const rate = 1e6 / median(values);
    const ratio = name === first ? '' : `${ratioOf(base, values).toFixed(2)} × slower than the first`;
    console.log(`  ${name.padEnd(44)}${rate.toFixed(1).padStart(9)} k/s  ${ratio}`);
    recordFigure({ title, run: name, value: rate, unit: 'k/s' });
  }
  for (const { contender, rival, atLeast } of aims) {
    const ratio = ratioOf(times.get(contender) ?? [], times.get(rival) ?? []);
    const isMet = ratio >= atLeast;
    // The benchmarks go on, and the run fails.
    if (!isMet) process.exitCode = 1;
    const verdict = isMet ? 'met' : 'MISSED';
    console.log(`  aim: ${contender} at least ${atLeast} × ${rival}: ${ratio.toFixed(2)} ×, ${verdict}`);
  }
}

/** How many times the rate of the others `ours` has, by the median round. */
function ratioOf(ours: readonly number[], others: readonly number[]): number {
  return median(others.map((time, round) => time / (ours[round] ?? Number.NaN)));
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

import { recordFigure } from './figures.ts';
import { median } from './race.ts';

/**
 * One way of doing the whole task once; answers how long the part that counts took, in ms per
 * piece.
 */
export interface TimedRun {
  readonly name: string;
  run(): Promise<number>;
}

/** Two runs that are compared. */
export interface Bound {
  /** What is compared. Default: the time. */
  readonly of?: 'time' | 'processor';
  readonly run: string;
  readonly base: string;
  /**
   * What the project promises: so many times that of `base` at most. Without it the ratio is
   * printed, and no more.
   */
  readonly atMost?: number;
}

/** What one run took per piece: time, and time of this process's processors, in ms. */
interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
}

/**
 * Does every run once per round, each round beginning with another one, and prints the median time
 * of each.
 *
 * A ratio is the median of the ratios within each round: what else the machine does slows
 * neighbouring runs alike. With several `repetitions`, all rounds are done as often, and the ratio
 * is the median of theirs, printed with the lowest and the highest, and kept as `figures.ts`
 * says. The time of the processors says
 * what a run costs where others use them too; what a run does outside of the part that counts is in
 * it as well.
 */
export async function inRounds(
  title: string,
  runs: readonly TimedRun[],
  {
    rounds,
    repetitions = 1,
    bounds = [],
  }: { readonly rounds: number; readonly repetitions?: number; readonly bounds?: readonly Bound[] },
): Promise<void> {
  const measured = new Map<string, Measured[]>(runs.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds * repetitions; round++) {
    for (let index = 0; index < runs.length; index++) {
      const timed = runs[(round + index) % runs.length];
      if (timed !== undefined) measured.get(timed.name)?.push(await measure(timed));
    }
  }
  console.log(`\n${title}`);
  for (const [name, values] of measured) {
    const ms = median(values.map((value) => value.ms));
    const cpu = format(median(values.map(({ cpuMs }) => cpuMs)));
    const rate = (1_000 / ms).toFixed(0).padStart(7);
    console.log(`  ${name.padEnd(48)}${format(ms).padStart(10)} ms  ${rate} /s  ${cpu.padStart(8)} ms CPU`);
    recordFigure({ title, run: name, value: ms, unit: 'ms' });
  }
  for (const bound of bounds) {
    const ratios = Array.from({ length: repetitions }, (_, repetition) => {
      const own = (name: string) =>
        measured
          .get(name)
          ?.slice(repetition * rounds, (repetition + 1) * rounds)
          .map(({ ms, cpuMs }) => (bound.of === 'processor' ? cpuMs : ms));
      return ratioOf(own(bound.run) ?? [], own(bound.base) ?? []);
    });
    reportRatio(bound, ratios);
    const { run, base } = bound;
    const [ratio, low, high] = [median(ratios), Math.min(...ratios), Math.max(...ratios)];
    recordFigure({
      title,
      run,
      base: bound.of === 'processor' ? `${base}, processor` : base,
      ratio,
      low,
      high,
    });
  }
}

function reportRatio({ run, base, of = 'time', atMost }: Bound, ratios: readonly number[]): void {
  const ratio = median(ratios);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map(format);
  const spread = ratios.length > 1 ? ` (${low}–${high} in ${ratios.length} repetitions)` : '';
  if (atMost === undefined) {
    console.log(`  no aim: ${run} takes ${format(ratio)} × ${base}, ${of}${spread}`);
    return;
  }
  const isMet = ratio <= atMost;
  // The benchmarks go on, and the run fails.
  if (!isMet) process.exitCode = 1;
  const verdict = isMet ? 'met' : 'MISSED';
  console.log(
    `  aim: ${run} takes at most ${format(atMost)} × ${base}, ${of}: ${format(ratio)} ×${spread}, ${verdict}`,
  );
}

async function measure(timed: TimedRun): Promise<Measured> {
  const start = performance.now();
  const before = process.cpuUsage();
  const ms = await timed.run();
  const { user, system } = process.cpuUsage(before);
  // The run answers per piece: as many pieces as the time it took has room for.
  return { ms, cpuMs: ((user + system) / 1_000) * (ms / (performance.now() - start)) };
}

function ratioOf(ours: readonly number[], base: readonly number[]): number {
  return median(ours.map((time, round) => time / (base[round] ?? Number.NaN)));
}

function format(value: number): string {
  return value < 10 ? value.toPrecision(3) : value.toFixed(1);
}

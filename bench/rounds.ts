import { median } from './race.ts';

/** One way of doing the whole task once; answers how long the part that counts took, in ms per piece. */
export interface Turn {
  readonly name: string;
  run(): Promise<number>;
}

/** Two turns whose times are compared. */
export interface Bound {
  readonly turn: string;
  readonly base: string;
  /** What the project promises: so many times that of `base` at most. Without it the ratio is printed, and no more. */
  readonly atMost?: number;
}

/** What one turn took per piece: time, and time of this process's processors, in ms. */
interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
}

/**
 * Lets every turn run once per round, each round beginning with another one, and prints the median time of each.
 *
 * A ratio is the median of the ratios within each round: what else the machine does slows neighbouring turns alike. The
 * time of the processors says what a turn costs where others use them too; what a turn does outside of the part that
 * counts is in it as well.
 */
export async function inRounds(
  title: string,
  turns: readonly Turn[],
  { rounds, bounds = [] }: { readonly rounds: number; readonly bounds?: readonly Bound[] },
): Promise<void> {
  const measured = new Map<string, Measured[]>(turns.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < turns.length; index++) {
      const turn = turns[(round + index) % turns.length];
      if (turn !== undefined) measured.get(turn.name)?.push(await measure(turn));
    }
  }
  console.log(`\n${title}`);
  const times = new Map([...measured].map(([name, values]) => [name, values.map(({ ms }) => ms)]));
  for (const [name, values] of measured) {
    const ms = median(values.map((value) => value.ms));
    const cpu = format(median(values.map(({ cpuMs }) => cpuMs)));
    const rate = (1_000 / ms).toFixed(0).padStart(7);
    console.log(`  ${name.padEnd(48)}${format(ms).padStart(10)} ms  ${rate} /s  ${cpu.padStart(8)} ms CPU`);
  }
  for (const { turn, base, atMost } of bounds) {
    const ratio = ratioOf(times.get(turn) ?? [], times.get(base) ?? []);
    if (atMost === undefined) {
      console.log(`  no aim: ${turn} takes ${format(ratio)} × ${base}`);
      continue;
    }
    const isMet = ratio <= atMost;
    // The benchmarks go on, and the run fails.
    if (!isMet) process.exitCode = 1;
    const verdict = isMet ? 'met' : 'MISSED';
    console.log(`  aim: ${turn} takes at most ${format(atMost)} × ${base}: ${format(ratio)} ×, ${verdict}`);
  }
}

async function measure(turn: Turn): Promise<Measured> {
  const start = performance.now();
  const before = process.cpuUsage();
  const ms = await turn.run();
  const { user, system } = process.cpuUsage(before);
  // The turn answers per piece: as many pieces as the time it took has room for.
  return { ms, cpuMs: ((user + system) / 1_000) * (ms / (performance.now() - start)) };
}

function ratioOf(ours: readonly number[], base: readonly number[]): number {
  return median(ours.map((time, round) => time / (base[round] ?? Number.NaN)));
}

function format(value: number): string {
  return value < 10 ? value.toPrecision(3) : value.toFixed(1);
}

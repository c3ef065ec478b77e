import { median } from './race.ts';

/** One way of doing the whole task once; answers how long the part that counts took, in ms per piece. */
export interface Turn {
  readonly name: string;
  run(): Promise<number>;
}

/** A bound that the project promises: the time of `turn` is at most so many times that of `base`. */
export interface Bound {
  readonly turn: string;
  readonly base: string;
  readonly atMost: number;
}

/**
 * Lets every turn run once per round, each round beginning with another one, and prints the median time of each.
 *
 * A ratio is the median of the ratios within each round: what else the machine does slows neighbouring turns alike.
 */
export async function inRounds(
  title: string,
  turns: readonly Turn[],
  { rounds, bounds = [] }: { readonly rounds: number; readonly bounds?: readonly Bound[] },
): Promise<void> {
  const times = new Map<string, number[]>(turns.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < turns.length; index++) {
      const turn = turns[(round + index) % turns.length];
      if (turn !== undefined) times.get(turn.name)?.push(await turn.run());
    }
  }
  console.log(`\n${title}`);
  for (const [name, values] of times) {
    const ms = median(values);
    console.log(
      `  ${name.padEnd(48)}${format(ms).padStart(10)} ms  ${(1_000 / ms).toFixed(0).padStart(7)} /s`,
    );
  }
  for (const { turn, base, atMost } of bounds) {
    const ratio = ratioOf(times.get(turn) ?? [], times.get(base) ?? []);
    const verdict = ratio <= atMost ? 'met' : 'MISSED';
    console.log(`  aim: ${turn} takes at most ${format(atMost)} × ${base}: ${format(ratio)} ×, ${verdict}`);
  }
}

function ratioOf(ours: readonly number[], base: readonly number[]): number {
  return median(ours.map((time, round) => time / (base[round] ?? Number.NaN)));
}

function format(value: number): string {
  return value < 10 ? value.toPrecision(3) : value.toFixed(1);
}

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { recordFigure } from '../../../bench/figures.ts';
import { percentile } from '../../../bench/race.ts';
import { createHashingLimiter, type HashingLimiter } from '../src/passwords/hashing-limiter.ts';
import { hashPassword } from '../src/passwords/password.ts';

const HASHES = 64;
const TITLE = `${HASHES} password hashes at once, beside a timer and a file read of the same process`;
const TIMER_MS = 5;
const OWN_FILE = fileURLToPath(import.meta.url);

/**
 * Waits for a timer, then for a file, until it is told to stop: what else the process has to do.
 */
async function otherWork(until: { done: boolean }): Promise<{ timer: number[]; file: number[] }> {
  const late = { timer: [] as number[], file: [] as number[] };
  while (!until.done) {
    const asked = performance.now();
    await delay(TIMER_MS);
    const rung = performance.now();
    await readFile(OWN_FILE);
    late.timer.push(rung - asked - TIMER_MS);
    late.file.push(performance.now() - rung);
  }
  return late;
}

async function measure(name: string, limiter: HashingLimiter | undefined): Promise<void> {
  const until = { done: false };
  const work = otherWork(until);
  const start = performance.now();
  if (limiter === undefined) {
    await delay(1000);
  } else {
    await Promise.all(Array.from({ length: HASHES }, () => hashPassword('correct horse', { limiter })));
  }
  const seconds = (performance.now() - start) / 1000;
  until.done = true;
  recordFigure({ title: TITLE, run: name, value: seconds, unit: 's' });
  const { timer, file } = await work;
  console.log(
    `  ${name.padEnd(28)}${seconds.toFixed(2).padStart(6)} s  timer late by ${figures(timer)}  file read in ${figures(file)}`,
  );
}

function figures(values: readonly number[]): string {
  const [p50, p99] = [percentile(values, 50), percentile(values, 99)].map((value) => value.toFixed(1));
  return `p50 ${p50} ms, p99 ${p99} ms`.padEnd(30);
}

console.log(`\n${TITLE}`);
await measure('nothing else to do', undefined);
await measure('the default limiter', createHashingLimiter());
await measure('no limit', createHashingLimiter({ maxConcurrent: HASHES }));

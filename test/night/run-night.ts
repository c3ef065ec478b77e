/**
 * Runs what the short run leaves out: `npm run test:night` for everything, `npm run test:night --
 * guards bench` for the rows of these names. Builds first, runs one row after the other, whatever
 * failed before, and ends with a table. Exits 1 if a row failed, 2 if there is none of a name.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../processes/run-command.ts';
import { stopWithChildren } from '../processes/stop-with-children.ts';
import { NIGHT_RUNS, type NightRun } from './night-runs.ts';

/** What the report of the test runner says, as far as it is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

interface Result {
  readonly name: string;
  readonly minutes: number;
  readonly passed: string;
  /** Empty if nothing failed. */
  readonly failures: readonly string[];
}

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.workspace.ts'];
/** So many failures of a row are in the table; the output above it has all of them. */
const MAX_SHOWN_FAILURES = 5;

stopWithChildren();
const names = process.argv.slice(2);
const known = NIGHT_RUNS.map(({ name }) => name);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are: ${known.join(', ')}`);
  process.exit(2);
}
const chosen = NIGHT_RUNS.filter(({ name }) => names.length === 0 || names.includes(name));

const reports = mkdtempSync(join(tmpdir(), 'night-'));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
if ((await runCommand('npm', ['run', 'build'])) !== 0) process.exitCode = 1;
else printTable(await runAll(chosen));

async function runAll(runs: readonly NightRun[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const run of runs) {
    console.log(`\n== ${run.name}`);
    const start = performance.now();
    const outcome = await runOne(run);
    results.push({ name: run.name, minutes: (performance.now() - start) / 60_000, ...outcome });
  }
  return results;
}

async function runOne({
  name,
  tests = [],
  commands = [],
}: NightRun): Promise<Omit<Result, 'name' | 'minutes'>> {
  const tested = tests.length > 0 ? await runTests(name, tests) : { passed: [], failures: [] };
  const passed: string[] = [...tested.passed];
  const failures: string[] = [...tested.failures];
  for (const [command, ...args] of commands) {
    const code = await runCommand(command, args);
    const shown = [command, ...args].join(' ');
    if (code === 0) passed.push(shown);
    else failures.push(`${shown}: exited with ${code}`);
  }
  return { passed: passed.join(', '), failures };
}

async function runTests(name: string, tests: readonly string[]) {
  const file = join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await runCommand(process.execPath, [
    ...VITEST,
    '--project',
    'night-*',
    ...reporters,
    ...tests,
  ]);
  const report = readReport(file);
  const failures = report === undefined ? ['the tests wrote no report'] : failuresOf(report);
  // A leaked rejection, for example, is in no test.
  if (code !== 0 && failures.length === 0) failures.push(`the tests exited with ${code}`);
  const { numPassedTests = 0, numPendingTests: skipped = 0 } = report ?? {};
  return { passed: [`${numPassedTests} tests${skipped > 0 ? `, ${skipped} skipped` : ''}`], failures };
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The tests that failed, and the files that broke outside of a test. */
function failuresOf({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [name];
    return failed.map(({ fullName }) => fullName);
  });
}

function printTable(results: readonly Result[]): void {
  const width = Math.max(...known.map((name) => name.length));
  console.log(`\n${'row'.padEnd(width)}  result  minutes  passed, or what failed`);
  for (const { name, minutes, passed, failures } of results) {
    const shown = failures.slice(0, MAX_SHOWN_FAILURES);
    const more = failures.length > shown.length ? [`… and ${failures.length - shown.length} more`] : [];
    const [first = passed, ...rest] = [...shown, ...more];
    const result = failures.length > 0 ? 'failed' : 'passed';
    console.log(`${name.padEnd(width)}  ${result}  ${minutes.toFixed(1).padStart(7)}  ${first}`);
    for (const line of rest) console.log(`${' '.repeat(width + 19)}${line}`);
  }
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  console.log(`\n${results.length - failed} of ${results.length} rows passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

/**
 * Runs every benchmark, one after the other, each in a process of its own: `npm run bench` for all,
 * `npm run bench -- tokens dispatch` for some. `--json` writes their figures to
 * `bench/figures.json`. What is measured of `@acme/webhooks` is the package as it is published, in
 * `dist`, which is built first unless it is up to date: tsx would name every function anew each
 * time it is made, 4 µs per delivery. `BENCH_DATABASES=sqlite` leaves out the servers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isBuilt } from '../examples/is-built.mjs';
import { runCommand } from '../test/processes/run-command.ts';
import { stopWithChildren } from '../test/processes/stop-with-children.ts';
import { repository } from '../test/structure/workspace-package.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { RESULTS_VARIABLE } from './figures.ts';

const FIGURES = join(repository, 'bench/figures.json');

stopWithChildren();
const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
const known = Object.keys(BENCHMARKS);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are: ${known.join(', ')}`);
  process.exit(2);
}
const chosen = Object.entries(BENCHMARKS).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
const needsBuild = chosen.some(([, file]) => file.startsWith('packages/webhooks/'));
if (needsBuild && !isBuilt('webhooks') && (await runCommand('npm', ['run', '--silent', 'build'])) !== 0) {
  process.exit(1);
}

const [processor] = cpus();
const machine = `Node ${process.version} on ${process.platform}/${process.arch}, ${cpus().length} × ${processor?.model}`;
console.log(machine);
if (values.json) writeFileSync(FIGURES, '');
for (const [, file] of chosen) {
  const environment = values.json ? { [RESULTS_VARIABLE]: FIGURES } : {};
  const code = await runCommand(process.execPath, ['--import', 'tsx', file], environment);
  if (code !== 0) process.exitCode = 1;
}
if (values.json) {
  const lines = readFileSync(FIGURES, 'utf8').split('\n').filter(Boolean);
  const figures = lines.map((line) => JSON.parse(line));
  writeFileSync(FIGURES, `${JSON.stringify({ machine, measured: new Date(), figures }, null, 2)}\n`);
  console.log(`\n${figures.length} figures are in ${FIGURES}`);
}

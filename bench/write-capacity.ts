/**
 * Writes the figures of `docs/operations/capacity.md`: `npm run capacity` measures them first, on a
 * machine that should do nothing else; `npm run capacity -- --page` writes the page from the run
 * that `docs/operations/capacity.json` holds.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../test/processes/run-command.ts';
import { stopWithChildren } from '../test/processes/stop-with-children.ts';
import { repository } from '../test/structure/workspace-package.ts';
import { BENCHMARKS } from './benchmarks.ts';
import { type CapacityRun, isShown, withFigures } from './capacity-page.ts';
import { RESULTS_VARIABLE } from './figures.ts';

const PAGE = join(repository, 'docs/operations/capacity.md');
const RUN = join(repository, 'docs/operations/capacity.json');
const SHOWN = ['dispatch', 'delivery', 'network'];

async function measure(): Promise<CapacityRun> {
  const folder = mkdtempSync(join(tmpdir(), 'capacity-'));
  const results = join(folder, 'results.jsonl');
  const [otherLoad = 0] = loadavg();
  writeFileSync(results, '');
  try {
    for (const name of SHOWN) {
      const program = BENCHMARKS[name] ?? '';
      await runCommand(process.execPath, ['--import', 'tsx', program], { [RESULTS_VARIABLE]: results });
    }
    const lines = readFileSync(results, 'utf8').trim().split('\n');
    const [processor] = cpus();
    return {
      measured: new Date().toISOString().slice(0, 10),
      machine: `Node ${process.version} on ${cpus().length} cores (${processor?.model.trim()}), shared by engine, recipient and database; load before it began ${otherLoad.toFixed(1)}`,
      ratios: lines.map((line) => JSON.parse(line)).filter(isShown),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

stopWithChildren();
if (!process.argv.includes('--page')) writeFileSync(RUN, `${JSON.stringify(await measure(), null, 2)}\n`);
const run: CapacityRun = JSON.parse(readFileSync(RUN, 'utf8'));
writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), run));

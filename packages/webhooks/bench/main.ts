/**
 * Runs every benchmark, one after the other, each in a process of its own: `npm run bench`. What is
 * measured is the package as it is published, in `dist`: tsx would name every function anew each
 * time it is made, 4 µs per delivery.
 *
 * One alone, after `npm run build`: `node --import tsx packages/webhooks/bench/dispatch.ts`.
 * `BENCH_DATABASES=sqlite` leaves out the servers.
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const [processor] = cpus();
console.log(
  `Node ${process.version} on ${process.platform}/${process.arch}, ${cpus().length} × ${processor?.model}`,
);
const names = ['imports', 'dispatch', 'burst-memory', 'history', 'delivery', 'network', 'fairness'];
for (const name of names) {
  const path = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', path], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

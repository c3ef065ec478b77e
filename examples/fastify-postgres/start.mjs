/** On this machine, one command starts what would be three services elsewhere. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { db, migrate } from './database.mjs';

await migrate(); // elsewhere: a step of the release, before the processes start
await db.destroy();

const processes = ['worker', 'worker', 'web'].map((name) =>
  fork(fileURLToPath(new URL(`${name}.mjs`, import.meta.url))),
);
let isEnding = false;
for (const child of processes) {
  child.once('exit', (code) => {
    if (code !== 0) process.exitCode = 1;
    if (!isEnding) end();
  });
}
process.on('SIGINT', () => {}); // Ctrl-C reaches the processes themselves
process.once('SIGTERM', end);

function end() {
  isEnding = true;
  for (const child of processes) child.kill('SIGTERM');
}

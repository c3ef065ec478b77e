import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { recordFigure } from '../../../bench/figures.ts';
import { createAuth } from '../src/auth.ts';
import { KEY, SCOPES } from './token-pool.ts';

const DISTINCT = 1_000_000;
const SAMPLES = 20;
const MIB = 2 ** 20;
/** What the guide says of the cache. */
const BOUND_MIB = 16;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapMiB(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / MIB;
}

const title = `Memory of the verified-token cache under ${DISTINCT.toLocaleString('en')} distinct tokens`;
console.log(`\n${title}`);
const auth = createAuth({ signingKey: KEY });
const before = heapMiB();
let most = 0;
for (let index = 1; index <= DISTINCT; index++) {
  const token = await auth.issueAccessToken(`user-${index}`, SCOPES, {
    sessionId: `${index}`.padStart(32, '0'),
  });
  await auth.validateAccessToken(token);
  if (index % (DISTINCT / SAMPLES) === 0) most = Math.max(most, heapMiB() - before);
}
const verdict = most <= BOUND_MIB + 1 ? 'met' : 'MISSED';
console.log(`  live heap at most ${most.toFixed(1)} MiB more, aim ≤ ${BOUND_MIB}: ${verdict}`);
recordFigure({ title, run: 'live heap at most', value: most, unit: 'MiB' });

import { parseArgs } from 'node:util';
import {
  type Disturbance,
  flushRedis,
  freezeBeyondLease,
  killAgainAndAgain,
  nothing,
  restartPostgres,
} from './disturbance.ts';
import { prove } from './proof.ts';
import { SETUPS, type SetupName } from './setup.ts';

/**
 * Shows that nothing is lost: `npm run prove` for everything, `npm run prove -- crash` for one proof.
 *
 * Starts its own PostgreSQL and Redis servers where a proof needs them, and exits 1 when a promise was broken.
 */
const ALL = Object.keys(SETUPS).filter((name): name is SetupName => name in SETUPS);
const PROOFS: Readonly<
  Record<string, { readonly setups: readonly SetupName[]; readonly disturb: Disturbance }>
> = {
  crash: { setups: ALL, disturb: killAgainAndAgain },
  'redis-flush': { setups: ['PostgreSQL with BullMQ'], disturb: flushRedis },
  'postgres-restart': {
    setups: ['PostgreSQL with pg-boss', 'PostgreSQL with BullMQ'],
    disturb: restartPostgres,
  },
  freeze: { setups: ALL, disturb: freezeBeyondLease },
  'exactly-once': { setups: ALL, disturb: nothing },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { deliveries: { type: 'string', default: '10000' }, setup: { type: 'string' } },
});
const deliveries = Number(values.deliveries);
const names = positionals.length > 0 ? positionals : Object.keys(PROOFS);
if (!Number.isSafeInteger(deliveries) || deliveries < 100 || deliveries % 20 !== 0) usage();
for (const name of names) await runProof(name);

async function runProof(name: string): Promise<void> {
  const proof = PROOFS[name];
  if (proof === undefined) return usage();
  const setups = proof.setups.filter((setup) => values.setup === undefined || setup.includes(values.setup));
  for (const setup of setups) {
    console.log(`${name}: ${setup}`);
    const start = Date.now();
    const { lost, duplicates, inFlight, unsuccessful, holds, ...verdict } = await prove(
      setup,
      proof.disturb,
      deliveries,
    );
    const seconds = Math.round((Date.now() - start) / 1_000);
    console.log(
      `  ${verdict.deliveries} deliveries: lost ${lost}; duplicates ${duplicates}, in flight when cut off ${inFlight}; ended otherwise than success ${unsuccessful}` +
        ` (${seconds} s): ${holds ? 'holds' : 'BROKEN'}`,
    );
    if (!holds) process.exitCode = 1;
  }
}

function usage(): never {
  console.log(
    `usage: npm run prove -- [${Object.keys(PROOFS).join(' | ')}]… [--setup SQLite|pg-boss|BullMQ] [--deliveries 10000]`,
  );
  process.exit(2);
}

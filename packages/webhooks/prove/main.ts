import { parseArgs } from 'node:util';
import { stopWithChildren } from '../../../test/processes/stop-with-children.ts';
import { proveBusy } from './busy.ts';
import { proveBusyForEver } from './busy-for-ever.ts';
import {
  type Disturbance,
  flushRedis,
  freezeBeyondLease,
  killAgainAndAgain,
  nothing,
  restartPostgres,
} from './disturbance.ts';
import { checkModel } from './model/check-model.ts';
import { MODEL_DATABASES } from './model/databases.ts';
import { proveOutage } from './outage.ts';
import { prove } from './proof.ts';
import { SETUPS, type SetupName } from './setup.ts';
import { proveTenants } from './tenants/prove-tenants.ts';
import { TENANT_DATABASES } from './tenants/tenant-databases.ts';

/**
 * Shows that nothing is lost: `npm run prove` for everything, `npm run prove -- crash` for one
 * proof.
 *
 * `npm run prove -- model` lets random sequences happen and compares all with a model, after each
 * step; a sequence that breaks a promise is made as short as it can be, and its seed is printed for
 * `--seed`.
 *
 * Starts its own PostgreSQL, MariaDB and Redis servers where a proof needs them, ends them when it
 * ends or is stopped, and exits 1 when a promise was broken.
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

const MODEL = 'model';
const BUSY = 'busy';
const OUTAGE = 'outage';
const TENANTS = 'tenants';
/** So many tenants for each thousand of `--deliveries`. */
const TENANTS_PER_THOUSAND = 2;
const TENANT_ROUNDS = 10;
/** How many crossings are printed. */
const MAX_PRINTED = 10;
/** Of the proofs whose time is simulated. */
const SIMULATED_SETUP: SetupName = 'SQLite with p-queue';

stopWithChildren();
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    deliveries: { type: 'string', default: '10000' },
    setup: { type: 'string' },
    sequences: { type: 'string' },
    seed: { type: 'string' },
  },
});
const deliveries = Number(values.deliveries);
const known = [...Object.keys(PROOFS), BUSY, OUTAGE, TENANTS, MODEL];
// Without a name, `--setup` chooses among the proofs, too.
const names = positionals.length > 0 ? positionals : known.filter((name) => setupsOf(name).length > 0);
if (values.help || names.length === 0) usage();
if (!Number.isSafeInteger(deliveries) || deliveries < 100 || deliveries % 20 !== 0) usage();
// A proof that runs nowhere must not look like one that holds.
if (names.some((name) => setupsOf(name).length === 0)) usage();
for (const name of names) {
  if (name === MODEL) await runModelCheck();
  else if (name === BUSY) await runBusy();
  else if (name === OUTAGE) await runOutage();
  else if (name === TENANTS) await runTenants();
  else await runProof(name);
}

/** Where a proof runs: its setups whose name has the text of `--setup` in it. */
function setupsOf(proof: string): readonly string[] {
  const { setup = '' } = values;
  if (proof === MODEL) return Object.keys(MODEL_DATABASES).filter((name) => name.includes(setup));
  if (proof === TENANTS) return Object.keys(TENANT_DATABASES).filter((name) => name.includes(setup));
  if (proof === OUTAGE) return [SIMULATED_SETUP].filter((name) => name.includes(setup));
  const all = proof === BUSY ? ALL : (PROOFS[proof]?.setups ?? []);
  return all.filter((name) => name.includes(setup));
}

async function runModelCheck(): Promise<void> {
  for (const [name, { sequences: most, open }] of Object.entries(MODEL_DATABASES)) {
    if (!setupsOf(MODEL).includes(name)) continue;
    const sequences = values.sequences === undefined ? most : Number(values.sequences);
    const seed = values.seed === undefined ? undefined : Number(values.seed);
    if (!Number.isSafeInteger(sequences) || sequences < 1 || Number.isNaN(seed)) usage();
    console.log(`${MODEL}: ${name}`);
    const start = Date.now();
    const database = await open();
    const broken = await checkModel(database.open, { sequences, seed }).then(
      () => undefined,
      (error: unknown) => error,
    );
    await database.close();
    const seconds = Math.round((Date.now() - start) / 1_000);
    if (broken === undefined) console.log(`  ${sequences} sequences (${seconds} s): holds`);
    else {
      console.log(broken);
      console.log(`  BROKEN (${seconds} s)`);
      process.exitCode = 1;
    }
  }
}

async function runBusy(): Promise<void> {
  for (const setup of ALL.filter((name) => setupsOf(BUSY).includes(name))) {
    console.log(`${BUSY}: ${setup}`);
    const start = Date.now();
    const { events, lost, unsuccessful, requests, holds } = await proveBusy(setup, deliveries);
    const seconds = Math.round((Date.now() - start) / 1_000);
    console.log(
      `  ${events} events: lost ${lost}; unsuccessful ${unsuccessful}; ${requests} requests, ` +
        `${(requests / events).toFixed(2)} an event (${seconds} s): ${holds ? 'holds' : 'BROKEN'}`,
    );
    if (!holds) process.exitCode = 1;
  }
  if (!setupsOf(BUSY).includes(SIMULATED_SETUP)) return;
  console.log(`${BUSY}: for 35 simulated days, ${SIMULATED_SETUP}`);
  const start = Date.now();
  const verdict = await proveBusyForEver();
  const seconds = Math.round((Date.now() - start) / 1_000);
  const { events, expired, mostRequestsADay, longestWaitMs, recovered, isTold, holds } = verdict;
  console.log(
    `  ${events} events: expired ${expired}; ${mostRequestsADay} requests a day at most; ` +
      `ended after ${(longestWaitMs / 3_600_000).toFixed(1)} h at most; ${isTold ? 'told' : 'NOT TOLD'}; ` +
      `${recovered} arrived at last (${seconds} s): ${holds ? 'holds' : 'BROKEN'}`,
  );
  if (!holds) process.exitCode = 1;
}

async function runOutage(): Promise<void> {
  console.log(`${OUTAGE}: 24 simulated hours`);
  const start = Date.now();
  const verdict = await proveOutage(deliveries / 20);
  const seconds = Math.round((Date.now() - start) / 1_000);
  const { events, lost, duplicates, inOrder, poisonReopened, holds } = verdict;
  console.log(
    `  ${events} events: lost ${lost}; duplicates ${duplicates}; ${inOrder ? 'in order' : 'OUT OF ORDER'}; ` +
      `poison reopened ${poisonReopened} (${seconds} s): ${holds ? 'holds' : 'BROKEN'}`,
  );
  if (!holds) process.exitCode = 1;
}

async function runTenants(): Promise<void> {
  for (const [name, open] of Object.entries(TENANT_DATABASES)) {
    if (!setupsOf(TENANTS).includes(name)) continue;
    console.log(`${TENANTS}: ${name}`);
    const start = Date.now();
    const { db, close } = await open();
    const tenants = Math.max(Math.round((deliveries / 1_000) * TENANTS_PER_THOUSAND), 3);
    const verdict = await proveTenants(db, { tenants, rounds: TENANT_ROUNDS });
    await close();
    const { tried, crossings, lost, duplicates, holds } = verdict;
    const seconds = Math.round((Date.now() - start) / 1_000);
    for (const [what, times] of Object.entries({ tenants, ...tried }))
      console.log(`  tried: ${times} ${what}`);
    for (const crossing of crossings.slice(0, MAX_PRINTED)) console.log(`  CROSSED: ${crossing}`);
    console.log(
      `  crossings ${crossings.length}; lost ${lost}; sent again ${duplicates}` +
        ` (${seconds} s): ${holds ? 'holds' : 'BROKEN'}`,
    );
    if (!holds) process.exitCode = 1;
  }
}

async function runProof(name: string): Promise<void> {
  const proof = PROOFS[name];
  if (proof === undefined) return usage();
  for (const setup of proof.setups) {
    if (!setupsOf(name).includes(setup)) continue;
    console.log(`${name}: ${setup}`);
    const start = Date.now();
    const { lost, duplicates, inFlight, unsuccessful, holds, ...verdict } = await prove(
      setup,
      proof.disturb,
      deliveries,
    );
    const seconds = Math.round((Date.now() - start) / 1_000);
    console.log(
      `  ${verdict.deliveries} deliveries: lost ${lost}; duplicates ${duplicates}, in flight when cut off ${inFlight}; unsuccessful ${unsuccessful}` +
        ` (${seconds} s): ${holds ? 'holds' : 'BROKEN'}`,
    );
    if (!holds) process.exitCode = 1;
  }
}

function usage(): never {
  console.log(
    `usage: npm run prove -- [${known.join(' | ')}]… [--setup SQLite|pg-boss|BullMQ] [--deliveries 10000]` +
      `\n       npm run prove -- ${TENANTS} [--setup SQLite|PostgreSQL|MariaDB]` +
      `\n       npm run prove -- ${MODEL} [--setup memory|SQLite|PostgreSQL|MariaDB] [--sequences 300] [--seed n]`,
  );
  process.exit(2);
}

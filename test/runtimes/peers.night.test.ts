import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../package/installed-packages.ts';
import { POSTGRES_URL, postgresSkipped, REDIS_URL, redisSkipped, uniqueName } from '../services/servers.ts';
import { workspacePackages } from '../structure/workspace-package.ts';
import { PEER_SETS, type PeerSet } from './peers.ts';
import { copyPrograms, type Row, rowOf, runProgram } from './run-program.ts';
import { RUNTIMES, runtimesSkipped } from './runtimes.ts';

const skipped = runtimesSkipped ?? (await postgresSkipped()) ?? (await redisSkipped());
const rows: Row[] = [];
afterAll(() => console.table(rows));

describe.skipIf(skipped !== undefined).each(PEER_SETS)('beside the $end releases of the peers', (set) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'peers-'));
    install(folder, set);
    copyPrograms(folder);
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const runtimes = RUNTIMES.filter(({ name }) => set.runtimes.includes(name));

  it.each(runtimes)('every adapter works on $name', { timeout: 240_000 }, async (runtime) => {
    const environment = { POSTGRES_URL, REDIS_URL, NAME: uniqueName('peers') };
    const passed = await runProgram(runtime, { folder, file: 'peers.mjs', environment });
    expect(passed).toEqual(['express', 'fastify', 'hono', 'nest', 'kysely', 'pg-boss', 'bullmq']);
    rows.push(
      rowOf(
        runtime,
        Object.entries(set.releases).map((release) => release.join(' ')),
      ),
    );
  });
});

/** Installs both tarballs as a user would; npm refuses a peer outside of a claimed range. */
function install(folder: string, { releases, drivers }: PeerSet): void {
  const tarballs = workspacePackages.map((workspacePackage) => pack(workspacePackage, folder));
  const pinned = Object.entries({ ...releases, ...drivers }).map(([name, version]) => `${name}@${version}`);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--silent', '--strict-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, ...tarballs, ...pinned], { cwd: folder, stdio: 'pipe' });
}

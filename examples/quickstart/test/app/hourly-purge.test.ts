import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAuth, createOneTimeTokens, createSessions } from '@acme/auth';
import { kyselyOneTimeTokenStore, kyselySessionStore } from '@acme/auth/kysely';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundlePrograms } from '../../../../test/processes/bundled-programs.ts';
import { openDatabase } from '../../src/app/database.ts';
import { startHourlyPurge } from '../../src/app/hourly-purge.ts';
import { APP_ENTRY } from '../../src/processes/demo-processes.ts';

const HOUR_MS = 3_600_000;
const START_TIMEOUT_MS = 240_000;

describe('the hourly purge', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('runs every purge at once and once an hour, until it is stopped', async () => {
    const calls = [0, 0];
    const stop = startHourlyPurge(calls.map((_, n) => async () => (calls[n] = (calls[n] ?? 0) + 1)));
    expect(calls).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(calls).toEqual([3, 3]);
    stop();
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(calls).toEqual([3, 3]);
  });

  it('reports a purge that fails, and runs it again with the others', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    let others = 0;
    const down = new Error('down');
    const stop = startHourlyPurge([() => Promise.reject(down), async () => (others += 1)]);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    stop();
    expect(others).toBe(2);
    expect(printed.mock.calls).toEqual(Array(2).fill(['A purge failed:', down]));
  });

  it('rids the database of the app of expired sessions and links', {
    timeout: START_TIMEOUT_MS,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'acme-quickstart-purge-'));
    const file = join(folder, 'demo.db');
    await expire(file);
    expect(rowsIn(file)).toEqual([1, 1]);
    const programs = await bundlePrograms([APP_ENTRY.href]);
    const app = spawn(process.execPath, [fileURLToPath(programs.urlOf(APP_ENTRY.href))], {
      env: { PATH: process.env.PATH, PORT: '0', DATABASE_FILE: file },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await expect.poll(() => rowsIn(file), { timeout: 60_000, interval: 100 }).toEqual([0, 0]);
    } finally {
      const closed = once(app, 'close');
      app.kill('SIGTERM');
      await closed;
      await programs.remove();
      await rm(folder, { recursive: true });
    }
  });
});

/** Creates a database with a session and a link that have expired. */
async function expire(file: string): Promise<void> {
  const db = await openDatabase(file);
  const clock = () => Date.now() - 30 * 24 * HOUR_MS;
  const auth = createAuth({ signingKey: 'a-signing-key-of-at-least-32-bytes', cookiePath: '/api', clock });
  const sessions = createSessions({
    auth,
    store: kyselySessionStore(db),
    loadUser: async () => ({ scopes: [] }),
    verifyCredentials: async () => undefined,
  });
  await sessions.loginAs('1');
  const tokens = createOneTimeTokens({ auth, store: kyselyOneTimeTokenStore(db) });
  await tokens.issue({ uid: '1', purpose: 'password_reset' });
  await db.destroy();
}

/** Counts sessions and links. */
function rowsIn(file: string): number[] {
  const database = new Database(file);
  try {
    return ['refresh_tokens', 'one_time_tokens'].map((table) =>
      Number(Object(database.prepare(`select count(*) as rows from ${table}`).get()).rows),
    );
  } finally {
    database.close();
  }
}

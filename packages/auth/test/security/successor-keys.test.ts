import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sqliteFile } from '../../../../test/services/sqlite-file.ts';
import { untilFinished } from '../../../../test/services/test-database.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import type { AuthTables } from '../../src/kysely/tables.ts';
import { hashToken } from '../../src/tokens/refresh-token.ts';
import { fakeClock } from '../fake-clock.ts';
import { Browser, type SessionHost, sessionHost } from '../sessions/session-host.ts';

const KEYS = {
  old: 'the-old-signing-key-of-at-least-32-bytes-for-tests',
  new: 'the-new-signing-key-of-at-least-32-bytes-for-tests',
};
type Ring = readonly (keyof typeof KEYS)[];

/** One database and one clock, and as many processes on them as there are rings of keys. */
async function processes(...rings: (Ring | Partial<AuthOptions>)[]) {
  const file = untilFinished(sqliteFile());
  const db = file.open<AuthTables>();
  await migrateAuth(db);
  const clock = fakeClock();
  const hosts = rings.map((ring) => {
    const keys = Array.isArray(ring)
      ? {
          signingKey: undefined,
          signingKeys: ring.map((kid: keyof typeof KEYS) => ({ kid, key: KEYS[kid] })),
        }
      : ring;
    return sessionHost({ store: kyselySessionStore(file.open()), authOptions: { ...keys, clock } });
  });
  const [first, second = first] = hosts;
  if (first === undefined || second === undefined) throw new Error('there is one process at least');
  const browser = new Browser(first);
  await browser.logIn('7');
  const rows = () =>
    db.selectFrom('refresh_tokens').selectAll().orderBy('created_at').orderBy('id').execute();
  return { clock, first, second, browser, rows };
}

/** Sends the cookies that a browser holds to another process. */
function pollAt(host: SessionHost, browser: Browser): Promise<Response> {
  return new Browser(host).request('POST', '/status', {
    cookie: browser.cookieHeader('/api/admin/auth/status'),
  });
}

function refreshTokenOf(response: Response): string | undefined {
  return /refresh_token=([0-9a-f]{64})/.exec(response.headers.getSetCookie().join())?.[1];
}

describe('the key that a successor is derived with', () => {
  it('is in no table: an old token and all rows lead to no token that lives', async () => {
    const { clock, browser, rows } = await processes(['old']);
    const stolen = browser.refreshToken ?? '';
    for (let hop = 0; hop < 3; hop++) {
      clock.advance(900);
      await browser.poll();
      await browser.poll();
    }
    const table = await rows();
    const texts = table.flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'));
    const derived = texts.flatMap((text) => [
      createHmac('sha256', stolen).update(text).digest('hex'),
      createHmac('sha256', text).update(stolen).digest('hex'),
      createHmac('sha256', Buffer.from(stolen, 'hex')).update(text).digest('hex'),
      hashToken(stolen + text),
      hashToken(text + stolen),
    ]);
    const hashes = new Set(table.map(({ token_hash }) => token_hash));
    expect(hashes.size).toBe(4);
    expect(derived.filter((token) => hashes.has(hashToken(token)))).toEqual([]);
  });

  it.each([
    ['deployed verify-only', ['old'], ['old', 'new']],
    ['moved to the front', ['old', 'new'], ['new', 'old']],
    ['moved to the front, seen from a process that is late', ['new', 'old'], ['old', 'new']],
  ] as const)('forks no session when keys are rotated between racing polls: %s', async (_, before, after) => {
    const { clock, first, second, browser, rows } = await processes(before, after);
    for (let round = 1; round <= 3; round++) {
      clock.advance(900);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => pollAt(n % 2 === 0 ? first : second, browser)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(refreshTokenOf)).size).toBe(1);
      const table = await rows();
      expect(table).toHaveLength(round + 1);
      const live = table.filter(({ successor_salt }) => successor_salt === null);
      expect(live.map(({ token_hash }) => token_hash)).toEqual([
        hashToken(refreshTokenOf(answers[0] ?? Response.error()) ?? ''),
      ]);
      browser.receive(answers[round] ?? Response.error());
      expect((await browser.poll()).status).toBe(200);
    }
  });

  it('goes on under a kid when it had none before', async () => {
    const { clock, second, browser } = await processes({ signingKey: KEYS.old }, ['new', 'old']);
    clock.advance(900);
    const lost = await browser.request('POST', '/status');
    const again = await pollAt(second, browser);
    expect(refreshTokenOf(again)).toMatch(/^[0-9a-f]{64}$/);
    expect(refreshTokenOf(again)).toBe(refreshTokenOf(lost));
  });

  it('answers 503 when a process lacks it: nothing is written, revoked, cleared or asked', async () => {
    const { clock, first, second, browser, rows } = await processes(['old'], ['new']);
    clock.advance(900);
    await browser.request('POST', '/status');
    const before = await rows();
    second.users.delete('7');
    clock.advance(600);
    const refused = await pollAt(second, browser);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([503, []]);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    expect(second.logged).toEqual(['A request for a session could not be answered']);
    expect(await rows()).toEqual(before);
    expect([first.revoked, second.revoked]).toEqual([[], []]);
    // So late, the process that has the key gives the successor alone.
    const late = await browser.poll();
    expect([late.status, await late.json()]).toMatchObject([401, { code: 'refresh_again' }]);
    expect((await browser.poll()).status).toBe(200);
  });

  it('is not needed to notice a reuse', async () => {
    const { clock, second, browser, rows } = await processes(['old'], ['new']);
    const stolen = `refresh_token=${browser.refreshToken}`;
    clock.advance(900);
    await browser.poll();
    await browser.poll();
    clock.advance(30);
    const refused = await new Browser(second).request('POST', '/status', { cookie: stolen });
    expect(await refused.json()).toMatchObject({ code: 'session_revoked' });
    await second.sessions.idle();
    expect(second.revoked).toMatchObject([{ uid: '7', reason: 'reuse' }]);
    expect((await rows()).map(({ revoke_reason }) => revoke_reason)).toContain('reuse');
    expect((await browser.poll()).status).toBe(401);
  });
});

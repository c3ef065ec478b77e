import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { createAuth } from '../../src/auth.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { ErrInvalidToken, ErrTokenExpired } from '../../src/errors.ts';
import {
  createRevocations,
  MAX_REVOCATION_ENTRIES,
  MAX_REVOCATION_LISTENERS,
  type RevocationEntry,
} from '../../src/tokens/revocations.ts';
import { fakeClock, START } from '../fake-clock.ts';
import { forgeToken, KEY } from './forge-token.ts';

function setUp(options: Partial<AuthOptions> = {}) {
  const clock = fakeClock();
  const logged: { fields: object; message: string }[] = [];
  const logger = { error: (fields: object, message: string) => void logged.push({ fields, message }) };
  return { clock, logged, auth: createAuth({ signingKey: KEY, clock, logger, ...options }) };
}

function setUpRevocations() {
  const clock = fakeClock();
  const logged: string[] = [];
  const logger = { error: (_: object, message: string) => void logged.push(message) };
  const config = { ttlSeconds: 300, clockToleranceSeconds: 0, clock, logger };
  return { clock, logged, revocations: createRevocations(config) };
}

const ofSession = (sessionId: string) => ({ uid: '42', sessionId, issuedAt: START });
const ofUser = (uid: string, issuedAt = START) => ({ uid, sessionId: undefined, issuedAt });

async function reasonOf(validation: Promise<unknown>): Promise<string> {
  const error = await validation.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error instanceof ErrTokenExpired) return 'expired';
  return error instanceof ErrInvalidToken ? error.reason : 'accepted';
}

describe('a revoked access token', () => {
  it('is refused by validateAccessToken and by authenticate, and counts once as rejected', async () => {
    const { auth } = setUp();
    const token = await auth.issueAccessToken('42', [], { sessionId: 's1' });
    await auth.validateAccessToken(token);
    auth.revocations.revokeSession('s1');
    expect(await reasonOf(auth.validateAccessToken(token))).toBe('revoked');
    expect(await reasonOf(auth.authenticate({ headers: { cookie: `access_token=${token}` } }))).toBe(
      'revoked',
    );
    expect(auth.stats()).toEqual({ issued: 1, accepted: 1, rejected: 2 });
  });

  it('does not disturb a valid one in the same request', async () => {
    const { auth } = setUp();
    const revoked = await auth.issueAccessToken('42', [], { sessionId: 's1' });
    const valid = await auth.issueAccessToken('42', [], { sessionId: 's2' });
    auth.revocations.revokeSession('s1');
    const cookie = `access_token=${revoked}; access_token=${valid}`;
    expect((await auth.authenticate({ headers: { cookie } })).sessionId).toBe('s2');
  });

  it('stays refused until it expires, with the tolerance, and a second longer it is expired', async () => {
    const { auth, clock } = setUp({ clockToleranceSeconds: 60 });
    // The latest token that is believed: an issuer's clock that runs 60 seconds ahead.
    const token = forgeToken({ payload: { iat: START + 60, exp: START + 360, sid: 's1' } });
    auth.revocations.revokeSession('s1');
    clock.advance(419);
    auth.revocations.revokeSession('another');
    expect(await reasonOf(auth.validateAccessToken(token))).toBe('revoked');
    clock.advance(1);
    expect(await reasonOf(auth.validateAccessToken(token))).toBe('expired');
  });

  it('is refused by its instance only', async () => {
    const { auth } = setUp();
    const other = setUp();
    auth.revocations.revokeSession('s1');
    expect(await reasonOf(other.auth.validateAccessToken(forgeToken({ payload: { sid: 's1' } })))).toBe(
      'accepted',
    );
  });
});

describe('revoking a user', () => {
  it('revokes tokens without a session that were issued up to that second, and no later ones', async () => {
    const { auth, clock } = setUp();
    const before = await auth.issueAccessToken('42', []);
    clock.advance(1);
    auth.revocations.revokeUser('42');
    const same = await auth.issueAccessToken('42', []);
    clock.advance(1);
    const after = await auth.issueAccessToken('42', []);
    expect(await reasonOf(auth.validateAccessToken(before))).toBe('revoked');
    expect(await reasonOf(auth.validateAccessToken(same))).toBe('revoked');
    expect(await reasonOf(auth.validateAccessToken(after))).toBe('accepted');
  });

  it('touches neither tokens of a session nor other users', async () => {
    const { auth } = setUp();
    auth.revocations.revokeUser('42');
    const ofASession = await auth.issueAccessToken('42', [], { sessionId: 's1' });
    expect(await reasonOf(auth.validateAccessToken(ofASession))).toBe('accepted');
    for (const uid of ['4', '420', '__proto__', 'constructor']) {
      expect(await reasonOf(auth.validateAccessToken(await auth.issueAccessToken(uid, [])))).toBe('accepted');
    }
  });

  it('does not take back a later revocation by applying an earlier one', () => {
    const { revocations } = setUpRevocations();
    revocations.apply({ kind: 'user', id: '42', revokedAt: START });
    revocations.apply({ kind: 'user', id: '42', revokedAt: START - 100 });
    expect(revocations.isRevoked(ofUser('42'))).toBe(true);
  });
});

describe('sharing revocation entries between processes', () => {
  it('carries an entry as JSON from one to the other, once and without an echo', async () => {
    const [here, there] = [setUp(), setUp()];
    const wire: string[] = [];
    here.auth.revocations.onRevoke((entry) => {
      wire.push(JSON.stringify(entry));
      there.auth.revocations.apply(JSON.parse(JSON.stringify(entry)));
    });
    there.auth.revocations.onRevoke((entry) => here.auth.revocations.apply(entry));
    here.auth.revocations.revokeSession('s1');
    here.auth.revocations.revokeUser('42');
    expect(wire.map((text) => JSON.parse(text))).toEqual([
      { kind: 'session', id: 's1', revokedAt: START },
      { kind: 'user', id: '42', revokedAt: START },
    ]);
    expect(there.auth.revocations.isRevoked(ofSession('s1'))).toBe(true);
    expect(await reasonOf(there.auth.validateAccessToken(forgeToken()))).toBe('revoked');
  });

  it('ignores an entry whose tokens have all expired', () => {
    const { revocations } = setUpRevocations();
    revocations.apply({ kind: 'session', id: 'long ago', revokedAt: START - 360 });
    revocations.apply({ kind: 'session', id: 'recent', revokedAt: START - 359 });
    expect(revocations.isRevoked(ofSession('long ago'))).toBe(false);
    expect(revocations.isRevoked(ofSession('recent'))).toBe(true);
  });

  it('does not lock a user out for longer than a minute by an entry from the future', () => {
    const { revocations } = setUpRevocations();
    revocations.apply({ kind: 'user', id: '42', revokedAt: START + 86_400 });
    expect(revocations.isRevoked(ofUser('42', START + 60))).toBe(true);
    expect(revocations.isRevoked(ofUser('42', START + 61))).toBe(false);
  });

  inOneTest<[unknown]>([
    [undefined],
    [null],
    ['s1'],
    [[]],
    [{}],
    [{ kind: 'token', id: 's1', revokedAt: START }],
    [{ kind: '__proto__', id: 's1', revokedAt: START }],
    [{ kind: 'session', id: '', revokedAt: START }],
    [{ kind: 'session', id: 's'.repeat(129), revokedAt: START }],
    [{ kind: 'user', id: 42, revokedAt: START }],
    [{ kind: 'user', id: '42' }],
    [{ kind: 'user', id: '42', revokedAt: `${START}` }],
    [{ kind: 'user', id: '42', revokedAt: -1 }],
    [{ kind: 'user', id: '42', revokedAt: START * 1000 }],
    [{ kind: 'user', id: '42', revokedAt: Number.NaN }],
  ])('refuses to apply %j', (entry) => {
    expect(() => setUpRevocations().revocations.apply(entry as RevocationEntry)).toThrow(TypeError);
  });

  inOneTest([undefined, null, '', 42, 's'.repeat(129), '\ud800'])('refuses to revoke %j', (id) => {
    const { revocations } = setUpRevocations();
    expect(() => revocations.revokeSession(id as string)).toThrow(TypeError);
    expect(() => revocations.revokeUser(id as string)).toThrow(TypeError);
  });

  it('revokes though a listener throws or rejects, tells the others and reports it', async () => {
    const { revocations, logged } = setUpRevocations();
    const told: string[] = [];
    revocations.onRevoke(() => {
      throw new Error('sync');
    });
    revocations.onRevoke(() => Promise.reject(new Error('async')));
    revocations.onRevoke(({ id }) => told.push(id));
    revocations.revokeSession('s1');
    expect(revocations.isRevoked(ofSession('s1'))).toBe(true);
    expect(told).toEqual(['s1']);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect(logged).toHaveLength(2);
  });

  it('forgets a listener that was taken off, and takes a bounded number', () => {
    const { revocations } = setUpRevocations();
    const told: string[] = [];
    const stop = revocations.onRevoke(({ id }) => told.push(id));
    revocations.revokeSession('s1');
    stop();
    revocations.revokeSession('s2');
    expect(told).toEqual(['s1']);
    for (let n = 0; n < MAX_REVOCATION_LISTENERS; n++) revocations.onRevoke(() => n);
    expect(() => revocations.onRevoke(() => undefined)).toThrow(TypeError);
  });
});

describe('more revocations than are held', () => {
  inOneTest(['session', 'user'] as const)(
    'refuses what was issued so far instead of forgetting a %s',
    (kind) => {
      const { revocations, clock, logged } = setUpRevocations();
      const add = (n: number) => revocations.apply({ kind, id: `${kind}-${n}`, revokedAt: START });
      for (let n = 0; n < MAX_REVOCATION_ENTRIES; n++) add(n);
      expect(revocations.isRevoked({ uid: 'x', sessionId: 'x', issuedAt: START })).toBe(false);
      clock.advance(10);
      add(MAX_REVOCATION_ENTRIES);
      expect(logged).toHaveLength(1);
      for (const id of ['session-0', 'user-0', 'never revoked']) {
        expect(revocations.isRevoked({ uid: id, sessionId: undefined, issuedAt: START })).toBe(true);
        expect(revocations.isRevoked({ uid: 'x', sessionId: id, issuedAt: START + 10 })).toBe(true);
      }
      // What is issued after that second is judged by the entries again, of which the newer half is
      // left.
      expect(revocations.isRevoked({ uid: 'x', sessionId: 'never revoked', issuedAt: START + 11 })).toBe(
        false,
      );
      const newest = { uid: 'x', sessionId: `session-${MAX_REVOCATION_ENTRIES}`, issuedAt: START + 11 };
      expect(revocations.isRevoked(newest)).toBe(kind === 'session');
      for (let n = 0; n < MAX_REVOCATION_ENTRIES / 2 - 1; n++) add(n + MAX_REVOCATION_ENTRIES + 1);
      expect(logged).toHaveLength(1);
    },
  );

  it('cuts off one user, and nobody else, whose sessions end in a loop', () => {
    const { revocations, logged, clock } = setUpRevocations();
    const last = 2 * MAX_REVOCATION_ENTRIES - 1;
    for (let n = 0; n <= last; n++) revocations.revokeSession(`session-${n}`, '42');
    expect(logged).toEqual([]);
    expect(revocations.isRevoked({ uid: '43', sessionId: 'x', issuedAt: START })).toBe(false);
    for (const n of [0, 100, last]) {
      expect(revocations.isRevoked(ofSession(`session-${n}`))).toBe(true);
    }
    expect(revocations.isRevoked({ ...ofSession('another'), issuedAt: START + 1 })).toBe(false);
    // Of the last sessions, whenever it was issued.
    expect(revocations.isRevoked({ ...ofSession(`session-${last}`), issuedAt: START + 1 })).toBe(true);
    clock.advance(359);
    expect(revocations.isRevoked(ofSession('session-1000'))).toBe(true);
  });

  it('refuses no token of a log-in that ends an older session of its user', () => {
    const { revocations, clock } = setUpRevocations();
    const issued: number[] = [];
    const isRevoked = (n: number) =>
      revocations.isRevoked({ uid: '42', sessionId: `session-${n}`, issuedAt: issued[n] ?? 0 });
    for (let n = 0; n < 3_000; n++) {
      // A thousand log-ins in one second, then ten a second, then one every two seconds.
      if (n > 2_000) clock.advance(2);
      else if (n >= 1_000 && n % 10 === 0) clock.advance(1);
      issued.push(clock() / 1000);
      if (n > 0) revocations.revokeSession(`session-${n - 1}`, '42');
      expect(isRevoked(n)).toBe(false);
      for (let ended = n - 1; ended >= Math.max(0, n - 160); ended -= 10) expect(isRevoked(ended)).toBe(true);
    }
  });

  it('keeps a session that began after those whose entries were given up', () => {
    const { revocations, clock } = setUpRevocations();
    for (let n = 0; n < 100; n++) revocations.revokeSession(`early-${n}`, '42');
    clock.advance(1);
    const live = { ...ofSession('live'), issuedAt: START + 1 };
    clock.advance(1);
    for (let n = 0; n < 1_000; n++) {
      revocations.revokeSession(`late-${n}`, '42');
      expect(revocations.isRevoked(live)).toBe(false);
    }
    for (const id of ['early-0', 'early-99', 'late-0', 'late-999']) {
      expect(revocations.isRevoked(ofSession(id))).toBe(true);
    }
    // Where there is no room, a live session needs a new token.
    clock.advance(1);
    revocations.revokeSession('the last', '42');
    expect(revocations.isRevoked(live)).toBe(true);
    expect(revocations.isRevoked({ ...live, issuedAt: START + 3 })).toBe(false);
  });

  it('refuses no token of the seconds to come, though an issuer whose clock is ahead may have issued it before', () => {
    const { revocations } = setUpRevocations();
    for (let n = 0; n <= MAX_REVOCATION_ENTRIES; n++) revocations.revokeSession(`session-${n}`);
    expect(revocations.isRevoked({ uid: 'x', sessionId: 'session-0', issuedAt: START })).toBe(true);
    // The price of not refusing every log-in and status poll of the next minute.
    for (const sessionId of ['session-0', 'of a log-in in the next second']) {
      expect(revocations.isRevoked({ uid: 'x', sessionId, issuedAt: START + 1 })).toBe(false);
    }
  });

  it('keeps what is still needed when older entries are dropped', () => {
    const { revocations, clock } = setUpRevocations();
    revocations.revokeSession('the first');
    clock.advance(350);
    revocations.revokeSession('s1');
    revocations.revokeUser('42');
    for (let step = 0; step < 3; step++) {
      clock.advance(100);
      revocations.revokeSession(`later ${step}`);
      expect(revocations.isRevoked({ uid: 'x', sessionId: 's1', issuedAt: START + 350 })).toBe(true);
      expect(revocations.isRevoked({ uid: '42', sessionId: undefined, issuedAt: START + 350 })).toBe(true);
    }
  });

  it('asks no entries about a token that was issued after all of them could matter', () => {
    const { revocations, clock } = setUpRevocations();
    revocations.revokeSession('s1');
    const has = vi.spyOn(Map.prototype, 'has');
    onTestFinished(() => has.mockRestore());
    const isRevoked = (issuedAt: number) => revocations.isRevoked({ uid: '42', sessionId: 's2', issuedAt });
    isRevoked(START + 360);
    expect(has).toHaveBeenCalled();
    has.mockClear();
    clock.advance(361);
    isRevoked(START + 361);
    expect(has).not.toHaveBeenCalled();
  });

  it('makes room by forgetting those whose tokens have expired', () => {
    const { revocations, clock, logged } = setUpRevocations();
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < MAX_REVOCATION_ENTRIES / 2; n++) revocations.revokeSession(`${round}-${n}`);
      clock.advance(360);
    }
    expect(logged).toEqual([]);
  });
});

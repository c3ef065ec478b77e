import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import { type Auth, createAuth } from '../../src/auth.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { AuthError, ErrInvalidToken } from '../../src/errors.ts';
import { authenticateApiKey, authenticateAuthOrApiKey } from '../../src/http/authenticate-api-key.ts';
import type { TokenRefusedEvent } from '../../src/http/token-refusal.ts';
import { fakeClock, START } from '../fake-clock.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';

interface Line {
  readonly message: string;
  readonly code?: string;
  readonly reason?: string;
  readonly path?: string;
}

function instance(options: Partial<AuthOptions> = {}) {
  const events: TokenRefusedEvent[] = [];
  const lines: Line[] = [];
  const errors: string[] = [];
  const clock = fakeClock();
  const auth = createAuth({
    signingKey: KEY,
    clock,
    logger: {
      error: (_, message) => void errors.push(message),
      debug: (fields, message) => void lines.push({ ...fields, message }),
    },
    onTokenRefused: (event) => void events.push(event),
    ...options,
  });
  return { auth, events, lines, errors, clock };
}

const requestWith = (...tokens: string[]) => ({
  method: 'GET',
  url: '/api/admin/me?secret=hunter2',
  headers: { cookie: tokens.map((token) => `access_token=${token}`).join('; ') },
});

async function refuse(auth: Auth, ...tokens: string[]): Promise<void> {
  await expect(auth.authenticate(requestWith(...tokens))).rejects.toThrow(AuthError);
  await auth.idle();
}

const expired = { payload: { iat: START - 300, exp: START } };

describe('a refused access token', () => {
  inOneTest<[string, string, Partial<TokenRefusedEvent>, RegExp]>([
    [
      'a wrong audience',
      forgeToken({ payload: { aud: '/api' } }),
      { reason: 'audience', presented: { isVerified: true, kid: undefined, audience: '/api' } },
      /^Refused an access token: it is meant for the audience \(aud\) "\/api", and this instance accepts "\/api\/admin" alone: see its options audience and cookiePath$/,
    ],
    [
      'no audience',
      forgeToken({ payload: { aud: undefined } }),
      { reason: 'audience', presented: { isVerified: true, kid: undefined, audience: undefined } },
      /has no audience \(aud\), and this instance accepts "\/api\/admin" alone/,
    ],
    [
      'several audiences',
      forgeToken({ payload: { aud: ['/a', '/b'] } }),
      { reason: 'audience', presented: { isVerified: true, kid: undefined, audience: '/a, /b' } },
      /"\/a, \/b"/,
    ],
    [
      'another key',
      forgeToken({ key: `${KEY}!`, payload: { aud: 'x\r\ny' } }),
      { reason: 'signature', presented: { isVerified: false, kid: undefined, audience: 'x\uFFFD\uFFFDy' } },
      /none of the signing keys of this instance has signed it/,
    ],
    [
      'an unknown kid',
      forgeToken({ header: { kid: 'k\u001b9' } }),
      { reason: 'key', presented: { isVerified: false, kid: 'k\uFFFD9', audience: '/api/admin' } },
      /its kid "k\uFFFD9" names none/,
    ],
    [
      'another algorithm',
      forgeToken({ header: { alg: 'none' } }),
      { reason: 'header', presented: { isVerified: false, kid: undefined, audience: '/api/admin' } },
      /HS256/,
    ],
    [
      'no token at all',
      'garbage',
      { reason: 'malformed', presented: { isVerified: false } },
      /does not have the form/,
    ],
    [
      'a claim of a wrong shape',
      forgeToken({ payload: { uid: 7 } }),
      { reason: 'claims' },
      /a claim is missing/,
    ],
    ['a time to come', forgeToken({ payload: { nbf: START + 9 } }), { reason: 'time' }, /not valid yet/],
    ['its time over', forgeToken(expired), { reason: 'expired', code: 'token_expired' }, /has expired/],
  ])('with %s is told once, with what was expected and what came', async (_, token, event, words) => {
    const { auth, events, lines } = instance();
    await refuse(auth, token);
    expect(events).toEqual([
      {
        kind: 'access_token',
        code: 'token_invalid',
        audience: '/api/admin',
        presented: expect.anything(),
        method: 'GET',
        path: '/api/admin/me',
        ip: undefined,
        userAgent: undefined,
        refusedAt: START,
        ...event,
      },
    ]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      code: event.code ?? 'token_invalid',
      reason: event.reason,
      path: '/api/admin/me',
    });
    expect(lines[0]?.message).toMatch(words);
  });

  it('is told with a kid and an audience of at most 256 characters', async () => {
    const { auth, events } = instance();
    await refuse(
      auth,
      forgeToken({ header: { kid: 'x'.repeat(1_000) }, payload: { aud: 'a'.repeat(1_000) } }),
    );
    expect(events[0]?.presented).toEqual({
      isVerified: false,
      kid: 'x'.repeat(256),
      audience: 'a'.repeat(256),
    });
  });

  it('is told when it is revoked, and when no request is involved', async () => {
    const { auth, events, lines } = instance();
    const token = await auth.issueAccessToken('7', []);
    auth.revocations.revokeUser('7');
    await expect(auth.validateAccessToken(token)).rejects.toThrow(ErrInvalidToken);
    await auth.idle();
    expect(events).toMatchObject([{ reason: 'revoked', method: undefined, path: undefined }]);
    expect(lines).toHaveLength(1);
  });

  it('is told once a request, however many cookies it has: the one that the answer is about', async () => {
    const { auth, events, lines } = instance();
    const ofUsers = forgeToken({ payload: { aud: '/api' } });
    await refuse(auth, ofUsers, 'garbage', forgeToken(expired));
    await refuse(auth, 'garbage', ofUsers);
    await refuse(auth, forgeToken(), forgeToken({ payload: { uid: '666' } }));
    await refuse(auth, 'a', 'b', 'c', 'd', 'e');
    expect(events.map(({ reason }) => reason)).toEqual(['expired', 'malformed', 'ambiguous', 'too_many']);
    expect(lines.map(({ reason }) => reason)).toEqual(events.map(({ reason }) => reason));
    expect(events[2]?.presented).toEqual({ isVerified: false });
  });

  it('is told when another site sent it, with what was judged', async () => {
    const { auth, events, lines } = instance();
    const { headers } = requestWith(forgeToken());
    const crossSite = {
      method: 'POST',
      url: '/x',
      headers: {
        ...headers,
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.example',
        host: 'app.example',
      },
    };
    await expect(auth.authenticate(crossSite)).rejects.toMatchObject({ code: 'cross_site' });
    await auth.idle();
    expect(events).toMatchObject([
      { code: 'cross_site', reason: 'cross_site', presented: { isVerified: false } },
    ]);
    expect(lines).toMatchObject([
      { secFetchSite: 'cross-site', origin: 'https://evil.example', host: 'app.example' },
    ]);
  });

  it('is none where there is no token, where one is accepted beside it, or where the clock fails', async () => {
    const { auth, events, lines } = instance();
    await expect(auth.authenticate({ method: 'GET', headers: {} })).rejects.toMatchObject({
      code: 'token_missing',
    });
    await auth.authenticate(requestWith('garbage', forgeToken(), forgeToken({ payload: { aud: '/api' } })));
    const broken = instance({ clock: () => Number.NaN });
    await expect(broken.auth.validateAccessToken(forgeToken())).rejects.toThrow('clock');
    await auth.idle();
    expect([events, lines, broken.events]).toEqual([[], [], []]);
  });

  it('is refused all the same where the clock fails before it is reported', async () => {
    let readings = 0;
    const broken = instance({ clock: () => (readings++ === 0 ? START * 1000 : Number.NaN) });
    await expect(broken.auth.validateAccessToken('garbage')).rejects.toMatchObject({ reason: 'malformed' });
    await broken.auth.idle();
    expect([broken.events, broken.errors]).toEqual([[], ['A refused token could not be reported']]);
  });

  it('is refused all the same where hook and logger fail', async () => {
    const fail = () => {
      throw new Error('down');
    };
    const { auth } = instance({ onTokenRefused: fail, logger: { error: fail, debug: fail } });
    await expect(auth.validateAccessToken('garbage')).rejects.toMatchObject({ reason: 'malformed' });
    await auth.idle();
  });
});

describe('an instance whose tokens are for any audience', () => {
  it('says what is wrong with the audience of a token', async () => {
    const { auth, events, lines } = instance({ audience: false });
    await refuse(auth, forgeToken({ payload: { aud: 7 } }));
    expect(events).toMatchObject([{ reason: 'audience', audience: false }]);
    expect(lines[0]?.message).toMatch(/its audience \(aud\) is neither a text nor a list of texts/);
  });
});

describe('a refused API key', () => {
  const { key, hash, displayPrefix } = generateApiKey('acme');
  const bearer = (text: string) => ({
    method: 'GET',
    url: '/x',
    headers: { authorization: `Bearer ${text}` },
  });

  it('is told with its display prefix, why, and never itself', async () => {
    const { auth, events, lines } = instance();
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    for (const [text, validator] of [
      [key, () => null],
      [wrong, () => null],
      ['foreign-key', () => null],
      [key, () => ({ uid: '7', scopes: [], expiresAt: 1 })],
    ] as const) {
      await expect(authenticateApiKey(bearer(text), validator, { auth })).rejects.toThrow(AuthError);
    }
    await auth.idle();
    const told = { isVerified: false, displayPrefix };
    expect(events.map(({ kind, reason, presented }) => [kind, reason, presented])).toEqual([
      ['api_key', 'unknown', told],
      ['api_key', 'malformed', { isVerified: false }],
      ['api_key', 'unknown', { isVerified: false }],
      ['api_key', 'expired', told],
    ]);
    expect(lines.map(({ message }) => message)).toEqual([
      'Refused an API key: there is no such one',
      'Refused an API key: it does not have the form of one',
      'Refused an API key: there is no such one',
      'Refused an API key: it has expired',
    ]);
  });

  it('is told each time, also where a validator throws one and the same error', async () => {
    const { auth, events, lines } = instance();
    const error = new ErrInvalidToken(`no key ${hash}`);
    for (let n = 0; n < 2; n++) {
      const refused = authenticateAuthOrApiKey(bearer(key), auth, () => Promise.reject(error));
      await expect(refused).rejects.toBe(error);
    }
    await auth.idle();
    expect([events.length, lines.length]).toEqual([2, 2]);
  });

  it('is none where the validator fails, where there is no key, or where a key passes after a cookie failed', async () => {
    const { auth, events } = instance();
    await expect(
      authenticateApiKey(bearer(key), () => Promise.reject(new Error('down')), { auth }),
    ).rejects.toThrow();
    await expect(authenticateApiKey({ headers: {} }, () => null, { auth })).rejects.toThrow();
    const both = { ...bearer(key), headers: { ...bearer(key).headers, ...requestWith('garbage').headers } };
    await authenticateAuthOrApiKey(both, auth, () => ({ uid: '7', scopes: [] }));
    await auth.idle();
    expect(events).toMatchObject([{ kind: 'access_token', reason: 'malformed' }]);
  });

  it('is told to nobody without an instance', async () => {
    await expect(authenticateApiKey(bearer(key), () => null)).rejects.toThrow(ErrInvalidToken);
    const auth = {} as Auth;
    await expect(authenticateApiKey(bearer(key), () => null, { auth })).rejects.toThrow(/createAuth/);
  });
});

describe('the default logger', () => {
  it('gets no line of a refusal, and console gets one where it is given', async () => {
    const lines: unknown[] = [];
    const { debug } = console;
    console.debug = (...line) => void lines.push(line);
    try {
      for (const logger of [undefined, console]) {
        const auth = createAuth({ signingKey: KEY, logger });
        await auth.validateAccessToken('garbage').catch(() => {});
        expect(lines).toHaveLength(logger === undefined ? 0 : 1);
      }
    } finally {
      console.debug = debug;
    }
  });
});

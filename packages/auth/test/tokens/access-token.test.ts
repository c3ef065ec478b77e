import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { words } from '../../../toolkit/test/words.ts';
import { createAuth } from '../../src/auth.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { ErrInvalidToken, ErrTokenExpired } from '../../src/errors.ts';
import { fakeClock, START } from '../fake-clock.ts';
import { type Forgery, forgeToken, KEY } from './forge-token.ts';

function instance(options: Partial<AuthOptions> = {}) {
  const clock = fakeClock();
  return { clock, auth: createAuth({ signingKey: KEY, clock, ...options }) };
}

/** The reason for which a forged token is refused, or the uid when it is accepted. */
async function judge(forgery: Forgery | string, options: Partial<AuthOptions> = {}): Promise<string> {
  const token = typeof forgery === 'string' ? forgery : forgeToken(forgery);
  try {
    return `uid ${(await instance(options).auth.validateAccessToken(token)).uid}`;
  } catch (error) {
    if (error instanceof ErrTokenExpired) return 'expired';
    if (error instanceof ErrInvalidToken) return error.reason;
    throw error;
  }
}

describe('issuing an access token', () => {
  it('refuses an option that does not exist', async () => {
    const auth = createAuth({ signingKey: KEY });
    const misspelt = { ttl: 60 } as object;
    await expect(auth.issueAccessToken('42', [], misspelt)).rejects.toThrow(/unknown option "ttl"/);
  });

  it('gives a token that validates to the claims it was issued for', async () => {
    const { auth } = instance();
    const claims = await auth.validateAccessToken(
      await auth.issueAccessToken('42', ['admin', 'admin:webhooks']),
    );
    expect(claims).toMatchObject({
      uid: '42',
      scopes: ['admin', 'admin:webhooks'],
      issuedAt: START,
      expiresAt: START + 300,
      sessionId: undefined,
    });
  });

  it('writes the header and the claims of the format, and nothing else', async () => {
    const { auth } = instance({ signingKey: undefined, signingKeys: [{ kid: 'k1', key: KEY }] });
    const options = { sessionId: 's1', authTime: START - 7, ttlSeconds: 60 };
    const token = await auth.issueAccessToken('42', ['admin'], options);
    const [header, payload] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header ?? '')).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: 'k1' });
    expect(JSON.parse(payload ?? '')).toEqual({
      uid: '42',
      scopes: ['admin'],
      iat: START,
      exp: START + 60,
      aud: '/api/admin',
      auth_time: START - 7,
      sid: 's1',
    });
  });

  inOneTest<[string, unknown, unknown, object?]>([
    ['an empty uid', '', []],
    ['a numeric uid', 42, []],
    ['scopes as text', '42', 'admin'],
    ['a scope that is too long', '42', ['x'.repeat(65)]],
    ['a life longer than the configured one', '42', [], { ttlSeconds: 301 }],
    ['a life of no time', '42', [], { ttlSeconds: 0 }],
    ['an empty session', '42', [], { sessionId: '' }],
    ['a log-in in the next second', '42', [], { authTime: START + 1 }],
    ['a log-in in milliseconds', '42', [], { authTime: START * 1000 }],
    ['a log-in as text', '42', [], { authTime: `${START}` }],
  ])('refuses %s and does not count it', async (_, uid, scopes, options) => {
    const { auth } = instance();
    await expect(auth.issueAccessToken(uid as string, scopes as string[], options)).rejects.toThrow(
      TypeError,
    );
    expect(auth.stats().issued).toBe(0);
  });
});

describe('more scopes than a token has room for', () => {
  const organisations = (count: number) =>
    Array.from({ length: count }, (_, n) => `org:${`${n}`.padStart(36, '0')}:billing`);

  it.each([
    ['in characters', organisations(60), { length: expect.any(Number), maxLength: 4_084 }],
    ['in number', Array.from({ length: 65 }, (_, n) => `s${n}`), { scopes: 65, maxScopes: 64 }],
  ])('are refused %s, told with the uid, and not counted', async (_, scopes, told) => {
    const logged: object[] = [];
    const { auth } = instance({ logger: { error: (fields) => void logged.push(fields) } });
    const refused = auth.issueAccessToken('42', scopes);
    await expect(refused).rejects.toMatchObject({ code: 'token_too_large', status: 403 });
    expect(logged).toMatchObject([{ uid: '42', ...told }]);
    expect(auth.stats().issued).toBe(0);
  });

  it('begin where the cookie has none: the longest token that is issued fits, whatever its name', async () => {
    for (const accessTokenCookieName of ['a', 'access_token', 'a'.repeat(64)]) {
      const { auth } = instance({ accessTokenCookieName, logger: { error: () => {} } });
      let issued = 0;
      for (let length = 1; length <= 64; length++) {
        const scopes = [...organisations(55), 'x'.repeat(length), 'y'.repeat(64)];
        const token = await auth.issueAccessToken('42', scopes).catch(() => undefined);
        if (token === undefined) continue;
        expect(auth.accessTokenCookie(token)).toContain(token);
        issued += 1;
      }
      expect(issued).toBeGreaterThan(0);
      expect(issued).toBeLessThan(64);
    }
  });
});

describe('validating an access token', () => {
  it('refuses every change of a single bit', async () => {
    const { auth } = instance();
    const token = await auth.issueAccessToken('42', ['admin']);
    const outcomes = [...token].flatMap((character, index) =>
      [1, 2, 4, 8, 16, 32, 64].map(async (bit) => {
        const other = String.fromCharCode(character.charCodeAt(0) ^ bit);
        const mutated = token.slice(0, index) + other + token.slice(index + 1);
        return await auth.validateAccessToken(mutated).then(
          () => mutated,
          () => undefined,
        );
      }),
    );
    expect((await Promise.all(outcomes)).filter((accepted) => accepted !== undefined)).toEqual([]);
  });
});

describe('validating the header of an access token', () => {
  inOneTest<[string, unknown]>([
    ['crit', ['b64']],
    ['crit', []],
    ['crit', ['exp']],
    ['crit', ['__proto__']],
    ['crit', null],
    ['crit', 'exp'],
    ['jku', 'https://attacker.example/keys'],
    ['jwk', { kty: 'oct', k: Buffer.from(KEY).toString('base64url') }],
    ['x5u', 'https://attacker.example/chain'],
    ['x5c', ['MIIB']],
  ])('refuses a header with %s %j', async (name, value) => {
    expect(await judge({ header: { [name]: value } })).toBe('header');
  });

  inOneTest([
    ['no JSON', '{alg:HS256}'],
    ['an array', '["HS256"]'],
    ['null', 'null'],
    ['a string', '"HS256"'],
    ['a polluting member alone', '{"__proto__":{"alg":"HS256","typ":"at+jwt"}}'],
    ['a byte order mark', '\ufeff{"alg":"HS256","typ":"at+jwt"}'],
  ])('refuses a header that is %s', async (_, header) => {
    expect(await judge({ header })).toBe('header');
  });

  it('refuses a header that is not UTF-8', async () => {
    const [, payload, signature] = forgeToken().split('.');
    const header = Buffer.concat([
      Buffer.from('{"alg":"HS256","typ":"at+jwt","x":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    expect(await judge(`${header.toString('base64url')}.${payload}.${signature}`)).toBe('header');
  });
});

describe('validating the algorithm of an access token', () => {
  const algorithms = [
    'none',
    'None',
    'nOnE',
    'hs256',
    'HS256 ',
    'HS384',
    'HS512',
    'RS256',
    'ES256',
    'EdDSA',
    '',
  ];
  inOneTest<[unknown]>([...algorithms, null, 0, true, ['HS256'], { alg: 'HS256' }].map((alg) => [alg]))(
    'refuses the algorithm %j, though the signature fits HS256',
    async (alg) => {
      expect(await judge({ header: { alg } })).toBe('header');
    },
  );

  it('refuses a longer hash under its own name', async () => {
    expect(await judge({ header: { alg: 'HS384' }, hash: 'sha384' })).toBe('malformed');
    expect(await judge({ header: { alg: 'HS512' }, hash: 'sha512' })).toBe('malformed');
  });

  it('refuses the unsecured token of RFC 7519 section 6.1', async () => {
    const [header, payload] = forgeToken({ header: { alg: 'none' } }).split('.');
    expect(await judge(`${header}.${payload}.`)).toBe('malformed');
  });
});

describe('choosing the key of an access token', () => {
  const signingKeys = [
    { kid: 'new', key: `${KEY}-new` },
    { kid: 'old', key: `${KEY}-old` },
  ];
  const ring = { signingKey: undefined, signingKeys };

  it('accepts tokens of the old key after the new one was moved to the front, until it is removed', async () => {
    const before = instance({ signingKey: undefined, signingKeys: [...signingKeys].reverse() });
    const token = await before.auth.issueAccessToken('42', []);
    expect(await judge(token, ring)).toBe('uid 42');
    expect(await judge(token, { signingKey: undefined, signingKeys: signingKeys.slice(0, 1) })).toBe('key');
  });

  it('keeps its key when the caller clears the bytes afterwards', async () => {
    const bytes = Buffer.from(KEY);
    const { auth } = instance({ signingKey: bytes });
    bytes.fill(0);
    expect((await auth.validateAccessToken(forgeToken())).uid).toBe('42');
  });
});

describe('validating the audience of an access token', () => {
  inOneTest<[unknown]>([
    [undefined],
    [null],
    ['/api'],
    ['/api/admin/'],
    ['/API/ADMIN'],
    [''],
    [['/api/admin']],
    [1],
    [{}],
  ])('refuses the audience %j', async (aud) => {
    expect(await judge({ payload: { aud } })).toBe('audience');
  });

  inOneTest(['JWT', 'jwt', 'AT+JWT', undefined])(
    'accepts the type %j with audience: false alone',
    async (typ) => {
      const forgery = { header: JSON.stringify({ alg: 'HS256', typ }) };
      expect(await judge(forgery, { audience: false })).toBe('uid 42');
      expect(await judge(forgery)).toBe(typ === 'AT+JWT' ? 'uid 42' : 'header');
    },
  );

  inOneTest(['dpop+jwt', 'id+jwt', '', 7, null, ['JWT']])('refuses the type %j with it, too', async (typ) => {
    const forgery = { header: JSON.stringify({ alg: 'HS256', typ }) };
    expect(await judge(forgery, { audience: false })).toBe('header');
  });

  it('accepts any audience, or none, with audience: false', async () => {
    for (const aud of [undefined, '/api', ['/a', '/b']]) {
      expect(await judge({ payload: { aud } }, { audience: false })).toBe('uid 42');
    }
    expect(await judge({ payload: { aud: 7 } }, { audience: false })).toBe('audience');
  });
});

describe('validating the payload of an access token', () => {
  inOneTest(['', 'null', '[]', '"x"', '{', '7', '{"uid":"42"'])(
    'refuses the signed payload %j',
    async (payload) => {
      expect(await judge({ payload })).not.toMatch(/^uid/);
    },
  );

  it('takes nothing from a polluting member and pollutes nothing', async () => {
    const json = JSON.stringify({ scopes: [], iat: START, exp: START + 300, aud: '/api/admin' });
    const payload = json.replace(
      '{',
      '{"__proto__":{"uid":"1","polluted":true},"constructor":{"prototype":{"polluted":true}},',
    );
    expect(await judge({ payload })).toBe('claims');
    const claims = await instance().auth.validateAccessToken(
      forgeToken({ payload: payload.replace('{', '{"uid":"42",') }),
    );
    expect(claims.uid).toBe('42');
    expect('polluted' in claims || 'polluted' in {}).toBe(false);
    expect(Object.keys(claims).sort()).toEqual(
      words(`
      audience authTime credential expiresAt issuedAt scopes sessionId uid
    `),
    );
  });
});

describe('judging the times of an access token', () => {
  it('expires a token in the second of its exp', async () => {
    const { auth, clock } = instance();
    const token = await auth.issueAccessToken('42', []);
    clock.advance(299);
    expect((await auth.validateAccessToken(token)).uid).toBe('42');
    clock.advance(1);
    await expect(auth.validateAccessToken(token)).rejects.toThrow(ErrTokenExpired);
  });

  it('refuses a token that lives longer than the instance issues', async () => {
    expect(await judge({ payload: { exp: START + 301 } })).toBe('time');
    expect(await judge({ payload: { exp: START + 301 } }, { accessTokenTtlSeconds: 301 })).toBe('uid 42');
  });

  it('says expired only of tokens that are right otherwise', async () => {
    const old = { iat: START - 1000, exp: START - 700 };
    expect(await judge({ payload: old })).toBe('expired');
    expect(await judge({ payload: { ...old, aud: '/api' } })).toBe('audience');
    expect(await judge({ payload: old, key: `${KEY}!` })).toBe('signature');
  });

  inOneTest([Number.NaN, Number.POSITIVE_INFINITY])(
    'lets nothing pass when the clock gives %d',
    async (now) => {
      const auth = createAuth({ signingKey: KEY, clock: () => now });
      await expect(auth.validateAccessToken(forgeToken())).rejects.toThrow('clock');
      expect(auth.stats()).toEqual({ issued: 0, accepted: 0, rejected: 0 });
    },
  );
});

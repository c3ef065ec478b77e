import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { isAuthError } from '../../src/errors.ts';
import { START } from '../fake-clock.ts';
import { KEY } from './forge-token.ts';
import { type ReferenceRules, readWithJose, type Verdict } from './jose-reference.ts';

/** Of the cases: the same in every run. */
const SEED = 20_261_123;

/** Keys of the ring under test; `gone` is none of them. */
const SECRETS = { k1: `${KEY}-1`, k2: `${KEY}-2`, gone: `${KEY}-gone` } as const;
const RULES = { audience: '/api/admin', ttlSeconds: 300, clockToleranceSeconds: 5 };

const rings = {
  ofOne: {
    signingKey: SECRETS.k1,
    secrets: new Map([['', SECRETS.k1]]),
    kids: [...Array<undefined>(8).fill(undefined), 'k1'],
  },
  ofTwo: {
    signingKeys: [
      { kid: 'k1', key: SECRETS.k1 },
      { kid: 'k2', key: SECRETS.k2 },
    ],
    secrets: new Map<string, string>([
      ['k1', SECRETS.k1],
      ['k2', SECRETS.k2],
    ]),
    kids: [undefined, 'k1', 'k1', 'k1', 'k2', 'gone'],
  },
};

/** Nothing, `times` as often as something. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, times: number) =>
  fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** A JSON text made member by member, so that it may repeat a name, or write it in escapes. */
const jsonObject = (members: readonly (readonly [name: string, value: string])[], space: string) =>
  `{${space}${members.map(([name, value]) => `"${name}"${space}:${value}`).join(`,${space}`)}}`;

const spaces = fc.constantFrom('', '', '', ' ', '\n\t', '\r');
const marks = fc.constantFrom(...Array<string>(12).fill(''), '\ufeff', ' ');
const escaped = (name: string) => `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`;

/** Mostly the good members, some left out, some replaced, some repeated, in any order. */
function objects(good: readonly (readonly [string, string])[], odd: fc.Arbitrary<readonly [string, string]>) {
  const kept = fc.shuffledSubarray([...good], { minLength: Math.max(0, good.length - 1) });
  const members = fc.oneof(
    { weight: 3, arbitrary: fc.constant([...good]) },
    { weight: 3, arbitrary: fc.shuffledSubarray([...good], { minLength: good.length }) },
    { weight: 1, arbitrary: kept },
  );
  const additions = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(odd, { maxLength: 2 }) },
  );
  return fc
    .tuple(members, additions, fc.boolean(), spaces, marks)
    .map(([base, more, first, space, mark]) =>
      [mark, jsonObject(first ? [...more, ...base] : [...base, ...more], space)].join(''),
    );
}

const headerTexts = (kid: string | undefined) =>
  objects(
    [['alg', '"HS256"'], ['typ', '"at+jwt"'], ...(kid === undefined ? [] : [['kid', `"${kid}"`] as const])],
    fc.oneof(
      fc.tuple(
        fc.constantFrom('alg', escaped('alg')),
        fc.constantFrom('"HS256"', '"none"', '"HS512"', '"\\u0048S256"', 'null'),
      ),
      fc.tuple(fc.constant('typ'), fc.constantFrom('"AT+JWT"', '"JWT"', '"at\\u002bjwt"', '["at+jwt"]')),
      fc.tuple(
        fc.constant('kid'),
        fc.constantFrom('"k1"', '"k2"', '"gone"', '""', 'null', '1', '"__proto__"'),
      ),
      fc.tuple(
        fc.constantFrom('crit', 'jku', 'jwk', 'x5u', 'x5c', 'b64'),
        fc.constantFrom('[]', '{}', 'false'),
      ),
      fc.tuple(
        fc.constantFrom('__proto__', 'constructor', 'x'),
        fc.constantFrom('{"alg":"none"}', 'null', '1'),
      ),
    ),
  );

const goodStrings = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u0061dmin"', '"\\ud83d\\ude00"', '"\ufeff"', '"\u2028"', '"\\u0000"', '"/"', '"\\/"'),
);
const strings = fc.oneof(
  goodStrings,
  fc.constantFrom('"\\ud800"', '"\\udc00x"', '""', '"\t"', '"\\x41"'),
  fc.integer({ min: 60, max: 130 }).map((length) => JSON.stringify('x'.repeat(length))),
);
const numbers = fc.oneof(
  fc.integer({ min: START - 700, max: START + 700 }).map(String),
  fc.constantFrom(
    '1e3',
    '-0',
    '0',
    '1e400',
    '-1',
    '1.0',
    '0.5',
    '9007199254740993',
    `${START}.0`,
    `${START}000`,
  ),
  fc.constantFrom(
    `${START / 100}e2`,
    `${START + 300}e0`,
    `"${START}"`,
    'null',
    '253402300799',
    '01',
    '+1',
    'NaN',
  ),
);
const values = fc.oneof(
  strings,
  numbers,
  fc.constantFrom('[]', '{}', 'true', '["a","b"]', '["a",""]', '[["a"]]', '[,]', '["/api/admin"]'),
  fc.integer({ min: 1, max: 1500 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 60, max: 70 }).map((count) => JSON.stringify(Array.from({ length: count }, () => 'a'))),
);
const names = fc.constantFrom('uid', 'scopes', 'iat', 'exp', 'nbf', 'aud', 'sid', 'auth_time');
const oddMembers = fc.oneof(
  fc.tuple(names, values),
  fc.tuple(names.map(escaped), values),
  fc.tuple(fc.constantFrom('exp', 'iat', 'nbf', 'auth_time'), numbers),
  fc.tuple(
    fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'toJSON'),
    fc.constantFrom('{"uid":"1"}', '1'),
  ),
);
const payloadTexts = fc
  .tuple(
    goodStrings,
    fc.array(goodStrings, { maxLength: 3 }),
    fc.integer({ min: 200, max: 301 }),
    fc.boolean(),
    // About the bounds: the tolerance behind iat is 5 s.
    fc.option(fc.integer({ min: START - 4, max: START + 6 }), { nil: undefined }),
  )
  .chain(([uid, scopes, life, session, authTime]) =>
    objects(
      [
        ['uid', uid],
        ['scopes', `[${scopes.join(',')}]`],
        ['iat', `${START}`],
        ['exp', `${START + life}`],
        ['aud', '"/api/admin"'],
        ...(authTime === undefined ? [] : [['auth_time', `${authTime}`] as const]),
        ...(session ? [['sid', '"s1"'] as const] : []),
      ],
      oddMembers,
    ),
  );

/** Bytes of the payload: mostly UTF-8, at times with a byte that cannot be part of it. */
const payloads = fc
  .tuple(payloadTexts, rarely(fc.nat(), 12), fc.constantFrom(0xff, 0xc0, 0x80, 0xed))
  .map(([text, at, byte]) => {
    const bytes = Buffer.from(text);
    if (at !== undefined) bytes[at % bytes.length] = byte;
    return bytes;
  });

const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n'];
const edits = rarely(
  fc.record({ at: fc.nat(), take: fc.constantFrom(0, 1, 1, 2), put: fc.constantFrom('', ...characters) }),
  4,
);

const usualTimes = fc.integer({ min: START, max: START + 199 });
const oddTimes = fc.oneof(
  fc.constantFrom(START + 299, START + 300, START + 304, START + 305, START - 60, START - 61),
  fc.integer({ min: START - 700, max: START + 700 }),
);

const cases = (kids: readonly (string | undefined)[]) =>
  fc.record({
    header: fc.constantFrom(...kids).chain(headerTexts),
    payload: payloads,
    secret: fc.constantFrom(SECRETS.k1, SECRETS.k1, SECRETS.k1, SECRETS.k2, SECRETS.gone),
    edit: edits,
    times: fc.array(fc.oneof(usualTimes, oddTimes), { minLength: 1, maxLength: 4 }),
  });

function sign(header: string, payload: Uint8Array, secret: string): string {
  const signed = `${Buffer.from(header).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

async function judge(auth: ReturnType<typeof createAuth>, token: string): Promise<Verdict> {
  try {
    const claims = await auth.validateAccessToken(token);
    const { uid, scopes, sessionId, issuedAt, expiresAt, authTime } = claims;
    return { uid, scopes, sessionId, issuedAt, expiresAt, authTime };
  } catch (error) {
    if (isAuthError(error, 'token_expired')) return 'token_expired';
    if (isAuthError(error, 'token_invalid')) return 'token_invalid';
    throw error;
  }
}

describe.each(Object.entries(rings))('a ring %s', (_, { secrets, kids, ...keys }) => {
  it('gives every token the verdict and the claims of jose, at every time, seen before or not', async () => {
    const counts = { accepted: 0, expired: 0, invalid: 0, own: 0, withAuthTime: 0 };
    const rules: ReferenceRules = { ...RULES, secrets };
    let now = START;
    const auth = createAuth({ ...keys, clock: () => now * 1000, clockToleranceSeconds: 5 });
    await fc.assert(
      fc.asyncProperty(cases(kids), async ({ header, payload, secret, edit, times }) => {
        const whole = sign(header, payload, secret);
        const at = (edit?.at ?? 0) % whole.length;
        const token =
          edit === undefined ? whole : whole.slice(0, at) + edit.put + whole.slice(at + edit.take);
        const judgeAt = await readWithJose(token, rules);
        // The first time comes twice, so that at least one validation meets a token that was seen
        // before.
        for (const time of [times[0] ?? START, ...times]) {
          now = time;
          const expected = judgeAt(now);
          expect(await judge(auth, token)).toEqual(expected);
          if (expected === 'token_expired') counts.expired += 1;
          else counts[expected === 'token_invalid' ? 'invalid' : 'accepted'] += 1;
          if (typeof expected === 'object' && expected.authTime !== undefined) counts.withAuthTime += 1;
        }
        if (/^\{"alg":"HS256","typ":"at\+jwt"(,"kid":"k[12]")?\}$/.test(header)) counts.own += 1;
      }),
      { numRuns: 3_000, seed: SEED },
    );
    // Without a good share of each, the comparison would say little.
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(100);
  });
});

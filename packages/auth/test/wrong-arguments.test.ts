import { describe, expect, it } from 'vitest';
import { claimsOf, requireScope, setClaims } from '../src/express/index.ts';
import { guarded } from '../src/fetch/guarded.ts';
import { setClaims as setHonoClaims } from '../src/hono/set-claims.ts';
import * as root from '../src/index.ts';
import {
  Claims,
  createApiKeys,
  createAuth,
  createHashingLimiter,
  createOneTimeTokens,
  generateRefreshToken,
  memoryApiKeyStore,
  memoryOneTimeTokenStore,
  passwordCredentials,
} from '../src/index.ts';
import { kyselyApiKeys, kyselySessionStore, migrateAuth } from '../src/kysely/index.ts';
import { sessionStoreContract } from '../src/testing/index.ts';
import { SIGNING_KEY, sessionHost } from './sessions/session-host.ts';

const auth = createAuth({ signingKey: SIGNING_KEY, logger: { error() {}, debug() {} } });
const { sessions } = sessionHost({ loginThrottle: false });
const apiKeys = createApiKeys({ store: memoryApiKeyStore(), auth });
const tokens = createOneTimeTokens({ store: memoryOneTimeTokenStore(), auth });
const limiter = createHashingLimiter();
const verify = passwordCredentials({ findUser: async () => undefined });

const owner = new Claims({ uid: '7', scopes: [] });
const accessToken = await auth.issueAccessToken('7', []);
const request = { method: 'POST', headers: { authorization: 'Bearer x' } };
const ID = 'a'.repeat(32);
const UID_RULE = 'uid must be a string of 1 to 128 characters without U+0000, one of them visible';

/** What plain JavaScript may pass by mistake. */
const VALUES = [undefined, null, 7, 'x', {}, [], true, Symbol('x'), () => 1] as const;

/** Public functions, each with arguments that are right. */
const CALLS: Readonly<Record<string, readonly [of: object, method: string, ...args: unknown[]]>> = {
  issueAccessToken: [auth, 'issueAccessToken', '7', [], {}],
  validateAccessToken: [auth, 'validateAccessToken', accessToken],
  accessTokenCookie: [auth, 'accessTokenCookie', accessToken, {}],
  refreshTokenCookie: [auth, 'refreshTokenCookie', generateRefreshToken(), {}],
  readAccessTokens: [auth, 'readAccessTokens', {}],
  readRefreshTokens: [auth, 'readRefreshTokens', {}],
  authenticate: [auth, 'authenticate', request],
  assertSameOrigin: [auth, 'assertSameOrigin', request],
  isRevoked: [auth.revocations, 'isRevoked', { uid: '7', issuedAt: 1 }],
  login: [sessions, 'login', { login: '7', password: 'secret of 7' }, {}],
  loginAs: [sessions, 'loginAs', '7', {}],
  status: [sessions, 'status', [generateRefreshToken()], {}],
  logout: [sessions, 'logout', [generateRefreshToken()]],
  list: [sessions, 'list', '7', {}],
  revoke: [sessions, 'revoke', ID, {}],
  revokeAll: [sessions, 'revokeAll', '7', {}],
  revokeOthers: [sessions, 'revokeOthers', '7', ID],
  unlock: [sessions, 'unlock', '7'],
  rememberDevice: [sessions, 'rememberDevice', '7', { uid: '7' }],
  readDeviceCookies: [sessions, 'readDeviceCookies', {}],
  handler: [sessions, 'handler', new Request('https://app.example/'), {}],
  'apiKeys.create': [apiKeys, 'create', owner, { name: 'x' }, {}],
  'apiKeys.list': [apiKeys, 'list', owner, {}],
  'apiKeys.revoke': [apiKeys, 'revoke', owner, ID],
  'apiKeys.revokeAllOf': [apiKeys, 'revokeAllOf', '7'],
  'apiKeys.validator': [apiKeys, 'validator', `sha256$${'0'.repeat(64)}`],
  'tokens.issue': [tokens, 'issue', { uid: '7', purpose: 'reset' }],
  'tokens.consume': [tokens, 'consume', 'x', { purpose: 'reset' }],
  'tokens.validate': [tokens, 'validate', 'x', { purpose: 'reset' }],
  'tokens.revokeAll': [tokens, 'revokeAll', '7', {}],
  passwordCredentials: [{ verify }, 'verify', { login: '7', password: 'x' }, {}],
  'limiter.run': [limiter, 'run', async () => 1, {}],
  hashPassword: [root, 'hashPassword', '', {}],
  verifyPassword: [root, 'verifyPassword', undefined, '', {}],
  needsRehash: [root, 'needsRehash', '', {}],
  hashApiKey: [root, 'hashApiKey', 'x'],
  parseApiKey: [root, 'parseApiKey', 'x'],
  hashToken: [root, 'hashToken', 'x'],
  problemFor: [root, 'problemFor', new Error()],
  isAuthError: [root, 'isAuthError', new Error(), 'unavailable'],
  authenticateApiKey: [root, 'authenticateApiKey', request, () => null, {}],
  authenticateAuthOrApiKey: [root, 'authenticateAuthOrApiKey', request, auth, () => null],
  assertRecentLogin: [root, 'assertRecentLogin', owner, 300, {}],
  requireScope: [{ requireScope }, 'requireScope', auth, 'admin'],
  claimsOf: [{ claimsOf }, 'claimsOf', {}],
  setClaims: [{ setClaims }, 'setClaims', {}, owner],
  'setClaims of Hono': [{ setHonoClaims }, 'setHonoClaims', { set() {} }, owner],
  guarded: [{ guarded }, 'guarded', [], () => new Response()],
  kyselySessionStore: [{ kyselySessionStore }, 'kyselySessionStore', {}, {}],
  kyselyApiKeys: [{ kyselyApiKeys }, 'kyselyApiKeys', {}, {}],
  migrateAuth: [{ migrateAuth }, 'migrateAuth', {}, {}],
  sessionStoreContract: [{ sessionStoreContract }, 'sessionStoreContract', async () => ({}), {}],
};

/** What an engine, Node or a parser says, and we never do: it names no argument of ours. */
const BARE =
  /Cannot (read|convert|destructure)|is not (a function|iterable)|non-object|Invalid (URL|time)|The "\w+" argument|Symbol value/;

async function outcomeOf(of: object, method: string, args: readonly unknown[]): Promise<unknown> {
  try {
    await Reflect.apply(Reflect.get(of, method), of, args);
    return undefined;
  } catch (error) {
    return error;
  }
}

const MISTAKES = Object.entries(CALLS).flatMap(([name, [of, method, ...args]]) =>
  args.flatMap((_, place) =>
    VALUES.map((value) => ({ name, of, method, args: args.with(place, value), place, value: String(value) })),
  ),
);

describe('a wrong argument from plain JavaScript', () => {
  it('is answered in words of ours, whatever the function, the argument and the value', async () => {
    const bare: string[] = [];
    for (const { name, of, method, args, place, value } of MISTAKES) {
      const error = await outcomeOf(of, method, args);
      const cause = error instanceof Error ? error.cause : undefined;
      if (BARE.test(String(error)) || BARE.test(String(cause))) {
        bare.push(`${name}, argument ${place}, ${value}: ${error}, caused by ${cause}`);
      }
    }
    expect(bare).toEqual([]);
    expect(MISTAKES.length).toBeGreaterThan(800);
  });

  it('makes a token as invalid as any other', async () => {
    for (const value of VALUES) {
      await expect(auth.validateAccessToken(value as string), String(value)).rejects.toMatchObject({
        code: 'token_invalid',
        reason: 'malformed',
      });
    }
  });

  it.each<[string, () => unknown, string]>([
    [
      'options',
      () => auth.accessTokenCookie(accessToken, null as never),
      'accessTokenCookie takes an object of options, not null',
    ],
    [
      'no request',
      () => auth.assertSameOrigin(undefined as never),
      'request must be a Request, or an object { method, url, headers }',
    ],
    [
      'no instance',
      () => requireScope(...([undefined, 'admin'] as unknown as ['admin'])),
      'auth must be an instance that createAuth made',
    ],
    [
      'no database',
      () => kyselySessionStore(undefined as never),
      'db must be a Kysely instance for SQLite, PostgreSQL, MySQL or MariaDB',
    ],
    ['no key', () => root.hashApiKey(undefined as never), 'key must be a string'],
  ])('is a TypeError that names it: %s', (_, call, message) => {
    expect(call).toThrow(new TypeError(message));
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['no user', () => sessions.revokeAll(undefined as never), `${UID_RULE}, got undefined`],
    ['no list', () => sessions.list(null as never), `${UID_RULE}, got null`],
    [
      'a number for a user',
      () => sessions.list(7 as never),
      `${UID_RULE}, got number: convert it with String(uid)`,
    ],
    ['a user without characters', () => sessions.list(''), UID_RULE],
    ['a user with a zero', () => sessions.loginAs('7\0'), UID_RULE],
    [
      'no client, at a verifier that another one wraps',
      () => verify({ login: '7', password: 'x' }, undefined as never),
      'client, which a wrapper of passwordCredentials passes on, must be an object, not a value of type undefined',
    ],
    ['a text', () => sessions.status('x' as never), 'refreshTokens must be an array of strings'],
    ['an ip', () => sessions.loginAs('7', { ip: 7 as never }), 'client.ip must be a string, got number'],
    [
      'a user agent',
      () => sessions.login({ login: '7' }, { userAgent: {} as never }),
      'client.userAgent must be a string, got object',
    ],
    [
      'no credentials',
      () => sessions.login(undefined as never),
      'credentials must be an object, not a value of type undefined',
    ],
  ])('rejects with a TypeError that names it: %s', async (_, call, message) => {
    await expect(call()).rejects.toThrow(new TypeError(message));
  });

  it.each<[string, (page: never) => Promise<unknown>]>([
    ['sessions', (page) => sessions.list('7', page)],
    ['API keys', (page) => apiKeys.list(owner, page)],
  ])('is refused as a page of a list that is no object: %s', async (_, list) => {
    for (const page of [5, true, 'x', null]) {
      await expect(list(page as never)).rejects.toMatchObject({ code: 'input_invalid' });
    }
  });
});

import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inOneTest } from '../../toolkit/test/in-one-test.ts';
import { words } from '../../toolkit/test/words.ts';
import { hashApiKey } from '../src/api-keys/api-key.ts';
import type { ApiKeyStore } from '../src/api-keys/api-key-store.ts';
import { API_KEY_STORE } from '../src/api-keys/api-key-store.ts';
import { createApiKeys } from '../src/api-keys/api-keys.ts';
import { Claims } from '../src/claims.ts';
import { AuthError, isAuthError } from '../src/errors.ts';
import { hostStore } from '../src/host-store.ts';
import { problemFor } from '../src/http/problem.ts';
import { ONE_TIME_TOKEN_STORE, type OneTimeTokenStore } from '../src/one-time-tokens/one-time-token-store.ts';
import { createOneTimeTokens } from '../src/one-time-tokens/one-time-tokens.ts';
import { memorySessionStore } from '../src/sessions/store/memory-session-store.ts';
import { SESSION_STORE, type SessionStore } from '../src/sessions/store/session-store.ts';
import { sessionHost } from './sessions/session-host.ts';

const DRIVER_TEXT = 'connect ECONNREFUSED 10.1.2.3:5432';

/** A store of which every method fails as a driver does: `deadlock_detected` of PostgreSQL. */
function failingStore<Store>(methods: object, error: unknown): Store {
  const names = Object.keys(methods);
  const entries: (readonly unknown[])[] = names.map((name) => [name, () => Promise.reject(error)]);
  return Object.fromEntries(entries);
}

function services(error: unknown) {
  const { sessions } = sessionHost({ store: failingStore<SessionStore>(SESSION_STORE.methods, error) });
  const apiKeys = createApiKeys({
    store: failingStore<ApiKeyStore>(API_KEY_STORE.methods, error),
    instance: '/api',
  });
  const tokens = createOneTimeTokens({
    store: failingStore<OneTimeTokenStore>(ONE_TIME_TOKEN_STORE.methods, error),
    instance: '/api',
  });
  return { sessions, apiKeys, tokens };
}

const TOKEN = 'ab'.repeat(32);
const OWNER = new Claims({ uid: '7', scopes: [] });
const RESET = { purpose: 'password_reset' };
const transaction = { isTransaction: true } as const;

const CALLS: Readonly<Record<string, (of: ReturnType<typeof services>) => Promise<unknown>>> = {
  'sessions.login': ({ sessions }) => sessions.login({ login: '7', password: 'secret of 7' }),
  'sessions.loginAs': ({ sessions }) => sessions.loginAs('7'),
  'sessions.status': ({ sessions }) => sessions.status([TOKEN]),
  'sessions.status with two cookies': ({ sessions }) => sessions.status([TOKEN, 'cd'.repeat(32)]),
  'sessions.logout': ({ sessions }) => sessions.logout([TOKEN]),
  'sessions.list': ({ sessions }) => sessions.list('7'),
  'sessions.revoke': ({ sessions }) => sessions.revoke('a'.repeat(32)),
  'sessions.revokeAll': ({ sessions }) => sessions.revokeAll('7'),
  'sessions.revokeOthers': ({ sessions }) => sessions.revokeOthers('7', 'a'.repeat(32)),
  'sessions.purgeSessions': ({ sessions }) => sessions.purgeSessions(),
  'sessions.start': ({ sessions }) => sessions.start(),
  'apiKeys.create': ({ apiKeys }) => apiKeys.create(OWNER, { name: 'x' }),
  'apiKeys.list': ({ apiKeys }) => apiKeys.list(OWNER),
  'apiKeys.revoke': ({ apiKeys }) => apiKeys.revoke(OWNER, 'a'.repeat(32)),
  'apiKeys.revokeAllOf': ({ apiKeys }) => apiKeys.revokeAllOf('7'),
  'apiKeys.validator': ({ apiKeys }) => apiKeys.validator(hashApiKey('x')),
  'tokens.issue': ({ tokens }) => tokens.issue({ uid: '7', ...RESET }),
  'tokens.consume': ({ tokens }) => tokens.consume(TOKEN, RESET),
  'tokens.validate': ({ tokens }) => tokens.validate(TOKEN, RESET),
  'tokens.revokeAll': ({ tokens }) => tokens.revokeAll('7'),
  'tokens.purge': ({ tokens }) => tokens.purge(),
};

/** Cookies, counts and waiting need none; `unlock` has its own, and `handler` calls the others. */
const NEEDS_NO_STORE = words(`
  sessions.loadUser sessions.unlock sessions.rememberDevice sessions.readDeviceCookies sessions.stats
  sessions.idle sessions.handler sessions.serves apiKeys.idle
`);

it('every function of the services is called here, or needs no store', () => {
  const functions = Object.entries(services(new Error())).flatMap(([name, service]) =>
    Object.entries(service).flatMap(([member, value]) =>
      typeof value === 'function' ? [`${name}.${member}`] : [],
    ),
  );
  expect(functions.filter((name) => !(name in CALLS))).toEqual(NEEDS_NO_STORE);
});

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => expect.unreachable('the store fails'),
    (error: unknown) => error,
  );
}

describe.each(Object.entries(CALLS))('where the store of the host fails, %s', (_, call) => {
  it('rejects with unavailable, and the error of the driver is the cause alone', async () => {
    const cause = Object.assign(new TypeError(DRIVER_TEXT), { code: '40P01' });
    const error = await failureOf(call(services(cause)));
    expect(error).toBeInstanceOf(AuthError);
    expect(error).toMatchObject({ code: 'unavailable', status: 503, cause });
    expect(error).toHaveProperty('message', expect.stringMatching(/^The [a-zA-Z -]+ store could not [a-z]/));
    const told = JSON.stringify([problemFor(error), isAuthError(error) && error.message]);
    expect(told).not.toContain('ECONNREFUSED');
  });

  it('rejects with an error of this package as it is', async () => {
    const own = new AuthError('rate_limited', 'The store of this host counts its calls');
    expect(await failureOf(call(services(own)))).toBe(own);
  });
});

describe('in a transaction of the host, which decides by the error of its driver whether to repeat it', () => {
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });

  inOneTest<[string, (of: ReturnType<typeof services>) => Promise<unknown>]>([
    ['sessions.revokeAll', ({ sessions }) => sessions.revokeAll('7', { transaction })],
    ['tokens.issue', ({ tokens }) => tokens.issue({ uid: '7', ...RESET, transaction })],
    ['tokens.consume', ({ tokens }) => tokens.consume(TOKEN, { ...RESET, transaction })],
    ['tokens.revokeAll', ({ tokens }) => tokens.revokeAll('7', { transaction })],
  ])('%s rejects with that error', async (_, call) => {
    expect(await failureOf(call(services(deadlock)))).toBe(deadlock);
  });
});

describe('hostStore', () => {
  /** Its methods stand on a prototype, reach private members, and one throws at once. */
  class OwnStore {
    readonly #tokens = 3;
    async purge() {
      return this.#tokens;
    }
    find() {
      throw new RangeError('at once');
    }
  }
  const wanted = {
    name: 'OwnStore',
    label: 'The own store',
    methods: { purge: 'purge tokens', find: 'find a token' },
  };

  it('calls the methods of a class on its instance', async () => {
    expect(await hostStore(new OwnStore(), wanted).purge()).toBe(3);
  });

  it('turns what a method throws at once into a rejection', async () => {
    const finding: unknown = hostStore(new OwnStore(), wanted).find();
    await expect(finding).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The own store could not find a token',
      cause: new RangeError('at once'),
    });
  });
});

describe('a store that never answers', () => {
  const never = (_call?: object) => new Promise<never>(() => {});
  const methods = { purge: 'purge tokens', find: 'find a token' };

  it('is waited for for 30 s, but in a purge and in a transaction of the host', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const message = 'The own store could not find a token within 30000 ms';
    const store = hostStore(
      { purge: never, find: never },
      { name: 'OwnStore', label: 'The own store', methods },
    );
    const refused = expect(store.find()).rejects.toMatchObject({ code: 'unavailable', message });
    const others = vi.fn();
    for (const call of [store.purge(), store.find({ transaction })]) call.then(others, others);
    await vi.advanceTimersByTimeAsync(30_000);
    await refused;
    expect(others).not.toHaveBeenCalled();
  });
});

describe('a store that says null where nothing was found', () => {
  /** Every method of the store, with null in place of undefined. */
  function sayingNull(store: SessionStore): SessionStore {
    const entries = Object.entries(store).map(([name, method]) => [
      name,
      async (...args: readonly unknown[]) => (await Reflect.apply(method, store, args)) ?? null,
    ]);
    return Object.fromEntries(entries);
  }

  it('ends no session that it has not found', async () => {
    const { sessions } = sessionHost({ store: sayingNull(memorySessionStore()) });
    const { refreshToken, sessionId } = await sessions.loginAs('7', { ip: null as never });
    expect(await sessions.revoke(sessionId, { uid: '42' })).toBe(false);
    await sessions.logout([TOKEN]);
    expect(await sessions.status([refreshToken ?? ''])).toMatchObject({ uid: '7', sessionId });
  });
});

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createUseRecorder } from '../src/api-keys/use-recorder.ts';
import { AuthError } from '../src/errors.ts';
import { HOST_CALL_TIMEOUT_MS, isLateCall } from '../src/host-call.ts';
import {
  createApiKeys,
  createHashingLimiter,
  generateApiKey,
  memoryApiKeyStore,
  passwordCredentials,
} from '../src/index.ts';
import { Browser, sessionHost } from './sessions/session-host.ts';

/** Log-ins of one account that may be under way at once. */
const PLACES = 10;

const ANSWERS = {
  beforeLogin: async () => undefined,
  verifyCredentials: async () => ({ uid: '7' }),
  loadUser: async () => ({ scopes: [] }),
};

describe('a function of the host that never settles', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  it.each(['beforeLogin', 'verifyCredentials', 'loadUser'] as const)(
    'is answered 503, and keeps no place of an account: %s',
    async (name) => {
      let hangs = true;
      const host = sessionHost({ [name]: () => (hangs ? new Promise(() => {}) : ANSWERS[name]()) });
      const statuses: number[] = [];
      const pending = Array.from({ length: PLACES }, async () => {
        statuses.push((await new Browser(host).logIn()).status);
      });
      await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS - 1);
      expect(statuses).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await Promise.all(pending);
      expect(statuses).toEqual(Array.from({ length: PLACES }, () => 503));
      hangs = false;
      expect((await new Browser(host).logIn()).status).toBe(200);
    },
  );
});

it('is known as late where another copy of the package asks', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.resetModules();
  const other = await import('../src/host-call.ts');
  const late = other
    .boundedHostCall('verify', () => new Promise<never>(() => {}), 5)()
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5);
  const error = await late;
  expect(error).not.toBeInstanceOf(AuthError);
  expect(isLateCall(error as AuthError)).toBe(true);
});

describe('a verifier of another format that never answers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));

  it('keeps no slot of the limiter once its log-in is over, and is not asked for one that is', async () => {
    let asked = 0;
    let hangs = true;
    const limiter = createHashingLimiter({ maxConcurrent: 2 });
    const verify = passwordCredentials({
      findUser: async () => ({ uid: '7', passwordHash: `$2b$12$${'a'.repeat(53)}` }),
      verifiers: {
        '2b': async () => {
          asked += 1;
          return hangs ? new Promise<never>(() => {}) : true;
        },
      },
      limiter,
    });
    const logIn = () => verify({ login: 'ada', password: 'secret' }, {});
    const late = Array.from({ length: 6 }, () => logIn().catch((error: unknown) => error));
    await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS);
    const codes = (await Promise.all(late)).map((error) => Reflect.get(Object(error), 'code'));
    expect(codes.sort()).toEqual([...Array(4).fill('hashing_busy'), ...Array(2).fill('unavailable')]);
    expect(asked).toBe(2);
    hangs = false;
    expect(await logIn()).toEqual({ uid: '7' });
  });

  it('is the only one at work where one may be, however late the log-ins that wait', async () => {
    let running = 0;
    let most = 0;
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const verify = passwordCredentials({
      findUser: async () => {
        await wait(19_500);
        return { uid: '7', passwordHash: `$2b$12$${'a'.repeat(53)}` };
      },
      verifiers: {
        '2b': async () => {
          most = Math.max(most, ++running);
          await wait(4_000);
          running -= 1;
          return true;
        },
      },
      limiter: createHashingLimiter({ maxConcurrent: 1 }),
    });
    const answers: unknown[] = [];
    const loggingIn: Promise<unknown>[] = [];
    for (let n = 0; n < 14; n++) {
      loggingIn.push(
        verify({ login: 'ada', password: 'secret' }, {}).then(
          () => answers.push('in'),
          (error) => answers.push(`${error.code} ${error.retryAfterSeconds}`),
        ),
      );
      await vi.advanceTimersByTimeAsync(300);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    await Promise.all(loggingIn);
    expect(most).toBe(1);
    expect(answers).toHaveLength(14);
    expect(new Set(answers)).toEqual(new Set(['in', 'hashing_busy 5']));
  });

  it('gives the slot of any task of the limiter back, and refuses tasks that wait for it before', async () => {
    const limiter = createHashingLimiter({ maxConcurrent: 1 });
    const hanging = limiter.run(() => new Promise<never>(() => {})).catch((error: unknown) => error);
    const waiting = limiter.run(async () => 'next').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await waiting).toMatchObject({ code: 'hashing_busy' });
    await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS - 5_000);
    expect(await hanging).toMatchObject({ code: 'unavailable' });
    expect(await limiter.run(async () => 'next')).toBe('next');
  });

  it('lets a right password in 5 s after updateHash was asked, if that does not answer', async () => {
    const logged: string[] = [];
    let isAsked = false;
    const verify = passwordCredentials({
      findUser: async () => ({ uid: '7', passwordHash: 'md5 of secret, of which the format is not ours' }),
      verifiers: { '': async () => true },
      updateHash: () => {
        isAsked = true;
        return new Promise(() => {});
      },
      logger: { error: (_, message) => void logged.push(message) },
    });
    const loggingIn = verify({ login: 'ada', password: 'secret' }, {});
    // The new hash is computed on another thread.
    while (!isAsked) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await loggingIn).toEqual({ uid: '7' });
    expect(logged).toEqual(['A stored password could not be replaced']);
  });
});

describe('API keys, with a function of the host that never settles', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  it('are refused as unavailable after 5 s of loadUser', async () => {
    const store = memoryApiKeyStore();
    const { hash, displayPrefix } = generateApiKey('key');
    await store.add({
      ...{
        id: 'a'.repeat(32),
        instance: '/api',
        uid: '7',
        name: 'x',
        displayPrefix,
        keyHash: hash,
        scopes: [],
      },
      ...{ createdAt: 0, expiresAt: null, lastUsedAt: null, revokedAt: null },
    });
    const keys = createApiKeys({ store, instance: '/api', loadUser: () => new Promise(() => {}) });
    const validating = keys.validator(hash).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await validating).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('loadUser'),
    });
  });

  it('record uses again after a write of the store that has no end', async () => {
    const written: string[] = [];
    let hangs = true;
    const recordUse = async (ids: readonly string[]) => {
      if (hangs) return await new Promise<never>(() => {});
      written.push(...ids);
    };
    const uses = createUseRecorder({ recordUse }, { error() {} });
    uses.note('a', null, 0);
    await vi.advanceTimersByTimeAsync(0);
    uses.note('b', null, 0);
    hangs = false;
    await vi.advanceTimersByTimeAsync(HOST_CALL_TIMEOUT_MS);
    await uses.idle();
    expect(written).toEqual(['b']);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import type { LoginFailureStore } from '../../src/throttle/login-failure-store.ts';
import { STORE_DEADLINE_MS } from '../../src/throttle/supervised-store.ts';
import { memoryLoginFailures } from '../contract/memory-login-failures.ts';
import { type SessionHost, type SessionHostOptions, sessionHost } from '../sessions/session-host.ts';

/** Processes of one instance over one store, whose verifier counts what it is asked. */
function processes(count: number, store: LoginFailureStore, options: SessionHostOptions = {}) {
  const guesses = { count: 0 };
  const hosts = Array.from({ length: count }, () =>
    sessionHost({
      loginThrottle: { store },
      async verifyCredentials({ login, password }) {
        guesses.count += 1;
        return password === `secret of ${login}` ? { uid: String(login) } : undefined;
      },
      ...options,
    }),
  );
  return { hosts, guesses };
}

type Outcome = 'in' | 'wrong' | 'throttled' | 'error';

async function logIn(
  { sessions }: SessionHost,
  login: string,
  password: string,
  ip?: string,
): Promise<Outcome> {
  try {
    await sessions.login({ login, password }, { ip });
    return 'in';
  } catch (error) {
    const { code } = error as { code?: string };
    return code === 'invalid_credentials' ? 'wrong' : code === 'rate_limited' ? 'throttled' : 'error';
  }
}

const spread = (
  hosts: readonly SessionHost[],
  count: number,
  run: (host: SessionHost, i: number) => Promise<Outcome>,
) =>
  Promise.all(
    Array.from({ length: count }, (_, i) => {
      const host = hosts[i % hosts.length];
      if (host === undefined) throw new Error('no host');
      return run(host, i);
    }),
  );

describe('a shared store of failures', () => {
  it('lets three processes together verify as many guesses as one, at once or in turn', async () => {
    const { hosts, guesses } = processes(3, memoryLoginFailures());
    await spread(hosts, 90, (host, i) => logIn(host, '7', `guess ${i}`));
    expect(guesses.count).toBe(10);
    for (const [i, host] of [...hosts, ...hosts].entries()) {
      expect(await logIn(host, '7', `guess ${i}`)).toBe('throttled');
    }
    expect(guesses.count).toBe(10);
    expect(await logIn(hosts[0] as SessionHost, '42', 'secret of 42')).toBe('in');
  });

  it('counts addresses together, too', async () => {
    const { hosts, guesses } = processes(2, memoryLoginFailures());
    for (let i = 0; i < 120; i++) await logIn(hosts[i % 2] as SessionHost, `user-${i}`, 'guess', '192.0.2.1');
    expect(guesses.count).toBe(100);
  });

  it('says how long the window still lasts, and opens the next one', async () => {
    const { hosts, guesses } = processes(2, memoryLoginFailures());
    const [one, other] = hosts as [SessionHost, SessionHost];
    for (let i = 0; i < 10; i++) await logIn(one, '7', 'guess');
    const left = 900 - (Math.floor(other.clock() / 1000) % 900);
    await expect(other.sessions.login({ login: '7', password: 'x' })).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: left,
    });
    for (const { clock } of hosts) clock.advance(left);
    expect(await logIn(other, '7', 'secret of 7')).toBe('in');
    expect(await logIn(one, '7', 'secret of 7')).toBe('in');
    expect(guesses.count).toBe(12);
  });

  it('gives a place back only in the window in which it was taken', async () => {
    const store = memoryLoginFailures();
    const waiting: (() => void)[] = [];
    const { hosts } = processes(1, store, {
      async verifyCredentials() {
        await new Promise<void>((resolve) => void waiting.push(resolve));
        return { uid: '7' };
      },
    });
    const [host] = hosts as [SessionHost];
    const loggingIn = logIn(host, '7', 'secret of 7');
    await vi.waitFor(() => expect(waiting).toHaveLength(1), 60_000);
    host.clock.advance(900);
    waiting[0]?.();
    expect(await loggingIn).toBe('in');
    expect(
      [...store.counts.values()].every(({ failures, underWay }) => failures === 0 && underWay === 0),
    ).toBe(true);
  });

  it('keeps the places of a process that was killed until the window ends', async () => {
    const store = memoryLoginFailures();
    const { hosts: killed } = processes(1, store, { verifyCredentials: () => new Promise(() => {}) });
    for (let i = 0; i < 10; i++) void logIn(killed[0] as SessionHost, '7', 'secret of 7');
    await vi.waitFor(
      () => expect([...store.counts.values()].some(({ underWay }) => underWay === 10)).toBe(true),
      60_000,
    );
    const { hosts, guesses } = processes(1, store);
    const [host] = hosts as [SessionHost];
    expect(await logIn(host, '7', 'secret of 7')).toBe('throttled');
    expect(guesses.count).toBe(0);
    host.clock.advance(900);
    expect(await logIn(host, '7', 'secret of 7')).toBe('in');
  });

  it('gives the places of a process that was killed back to an account that is unlocked', async () => {
    const store = memoryLoginFailures();
    const { hosts: killed } = processes(1, store, { verifyCredentials: () => new Promise(() => {}) });
    for (let i = 0; i < 10; i++) void logIn(killed[0] as SessionHost, '7', 'secret of 7');
    await vi.waitFor(
      () => expect([...store.counts.values()].some(({ underWay }) => underWay === 10)).toBe(true),
      60_000,
    );
    const { hosts, guesses } = processes(1, store);
    const [host] = hosts as [SessionHost];
    expect(await host.sessions.unlock('7')).toBe(true);
    expect(await host.sessions.unlock('7')).toBe(false);
    expect(await logIn(host, '7', 'secret of 7')).toBe('in');
    expect(guesses.count).toBe(1);
  });

  it.each([1, 900, 86_400])('keeps counts 300 s longer than a window of %i s', async (windowSeconds) => {
    const sound = memoryLoginFailures();
    const kept = new Set<number>();
    const store: LoginFailureStore = {
      ...sound,
      add(changes, keepSeconds) {
        kept.add(keepSeconds);
        return sound.add(changes, keepSeconds);
      },
    };
    const { hosts } = processes(1, store, { loginThrottle: { store, windowSeconds } });
    expect(await logIn(hosts[0] as SessionHost, '7', 'guess')).toBe('wrong');
    expect([...kept]).toEqual([windowSeconds + 300]);
  });

  it('learns no login and no address, and keeps two instances apart', async () => {
    const store = memoryLoginFailures();
    const users = processes(1, store);
    const admins = processes(1, store, { authOptions: { cookiePath: '/api' } });
    for (let i = 0; i < 11; i++) await logIn(users.hosts[0] as SessionHost, 'ada', 'guess', '192.0.2.1');
    for (const key of store.counts.keys()) expect(key).toMatch(/^login:[\w-]{43}$/);
    expect(await logIn(admins.hosts[0] as SessionHost, 'ada', 'guess', '192.0.2.1')).toBe('wrong');
    const others = processes(1, store, {
      authOptions: { signingKey: 'another-signing-key-of-at-least-32-bytes' },
    });
    expect(await logIn(others.hosts[0] as SessionHost, 'ada', 'guess', '192.0.2.1')).toBe('wrong');
  });

  it('is asked once a second for an account that is locked', async () => {
    const sound = memoryLoginFailures();
    let calls = 0;
    const { hosts } = processes(1, {
      ...sound,
      add: (...given) => {
        calls += 1;
        return sound.add(...given);
      },
    });
    const [host] = hosts as [SessionHost];
    for (let i = 0; i < 11; i++) await logIn(host, '7', 'guess');
    const before = calls;
    for (let i = 0; i < 500; i++) expect(await logIn(host, '7', 'guess')).toBe('throttled');
    expect(calls).toBe(before);
    host.clock.advance(1);
    expect(await logIn(host, '7', 'guess')).toBe('throttled');
    expect(calls).toBe(before + 2);
  });
});

describe('a shared store that is away', () => {
  it.each([
    ['rejects', async () => Promise.reject(new Error('the store is away'))],
    [
      'throws',
      () => {
        throw new Error('the store is away');
      },
    ],
    ['answers something else', async () => [{ failures: 'none' }] as never],
  ])('leaves each process its own counts, and says so once a minute: it %s', async (_, add) => {
    const { hosts, guesses } = processes(2, { add, forget: async () => ({ failures: 0, underWay: 0 }) });
    await spread(hosts, 60, (host, i) => logIn(host, '7', `guess ${i}`));
    expect(guesses.count).toBe(20);
    const reports = (host: SessionHost) => host.logged.filter((line) => line.includes('counts by itself'));
    for (const host of hosts) expect(reports(host)).toHaveLength(1);
    const [host] = hosts as [SessionHost];
    host.clock.advance(59);
    expect(await logIn(host, '42', 'secret of 42')).toBe('in');
    expect(reports(host)).toHaveLength(1);
    host.clock.advance(10);
    expect(await logIn(host, '42', 'secret of 42')).toBe('in');
    expect(reports(host)).toHaveLength(2);
  });

  it('is waited for three seconds, and then not asked for five', async () => {
    vi.useFakeTimers();
    let calls = 0;
    const { hosts } = processes(1, {
      add: () => {
        calls += 1;
        return new Promise(() => {});
      },
      forget: async () => ({ failures: 0, underWay: 0 }),
    });
    const [host] = hosts as [SessionHost];
    const loggingIn = logIn(host, '7', 'secret of 7');
    await vi.advanceTimersByTimeAsync(STORE_DEADLINE_MS);
    expect(await loggingIn).toBe('in');
    expect(await logIn(host, '7', 'secret of 7')).toBe('in');
    expect(calls).toBe(1);
    host.clock.advance(5);
    const next = logIn(host, '7', 'secret of 7');
    await vi.advanceTimersByTimeAsync(STORE_DEADLINE_MS);
    expect(await next).toBe('in');
    expect(calls).toBe(2);
  });

  it('gets back what it has counted too late', async () => {
    vi.useFakeTimers();
    const sound = memoryLoginFailures();
    let isSlow = true;
    const { hosts } = processes(1, {
      ...sound,
      async add(...given) {
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, STORE_DEADLINE_MS * 2));
        isSlow = false;
        return await sound.add(...given);
      },
    });
    const loggingIn = logIn(hosts[0] as SessionHost, '7', 'secret of 7');
    await vi.advanceTimersByTimeAsync(STORE_DEADLINE_MS * 3);
    expect(await loggingIn).toBe('in');
    expect([...sound.counts.values()].map(({ underWay }) => underWay)).toEqual([0, 0]);
  });
});

describe('unlock', () => {
  it.each([
    ['in memory', undefined],
    ['in a shared store', memoryLoginFailures()],
  ])('opens the account that any spelling of its name names, once: %s', async (_, store) => {
    const host = sessionHost({ loginThrottle: { store } });
    const other = sessionHost({ loginThrottle: { store } });
    expect(await host.sessions.unlock('7')).toBe(false);
    for (let i = 0; i < 10; i++) await logIn(host, '7', 'guess');
    for (const one of store ? [host, other] : [host])
      expect(await logIn(one, '7', 'secret of 7')).toBe('throttled');
    expect(await Promise.all(['\uFF17', ' 7 '].map((login) => host.sessions.unlock(login)))).toContain(true);
    expect(await logIn(host, '7', 'secret of 7')).toBe('in');
    // Another process may refuse the account until the second has passed.
    other.clock.advance(1);
    expect(await logIn(store ? other : host, '7', 'secret of 7')).toBe('in');
    for (let i = 0; i < 10; i++) expect(await logIn(host, '7', 'guess')).toBe('wrong');
    expect(await logIn(host, '7', 'secret of 7')).toBe('throttled');
  });

  it('allows as many guesses more as were under way and have not failed, and none besides', async () => {
    const store = memoryLoginFailures();
    const waiting: (() => void)[] = [];
    const { hosts: slow } = processes(1, store, {
      async verifyCredentials() {
        await new Promise<void>((resolve) => void waiting.push(resolve));
        throw new AuthError('unavailable', 'the database is away');
      },
    });
    const [first] = slow as [SessionHost];
    const underWay = Array.from({ length: 4 }, () => logIn(first, '7', 'guess'));
    await vi.waitFor(() => expect(waiting).toHaveLength(4), 60_000);
    expect(await first.sessions.unlock('7')).toBe(true);
    for (const resolve of waiting) resolve();
    expect(new Set(await Promise.all(underWay))).toEqual(new Set(['error']));
    const { hosts, guesses } = processes(3, store);
    await spread(hosts, 90, (host, i) => logIn(host, '7', `guess ${i}`));
    expect(guesses.count).toBe(14);
  });

  it('opens the account in the next window, too, where the clock of another process may be', async () => {
    const { hosts } = processes(2, memoryLoginFailures());
    const [host, ahead] = hosts as [SessionHost, SessionHost];
    ahead.clock.advance(900);
    for (let i = 0; i < 10; i++) expect(await logIn(ahead, '7', 'guess')).toBe('wrong');
    expect(await host.sessions.unlock('7')).toBe(true);
    expect(await logIn(ahead, '7', 'secret of 7')).toBe('in');
  });

  it('counts the failures of attempts that were under way', async () => {
    for (const store of [undefined, memoryLoginFailures()]) {
      const waiting: (() => void)[] = [];
      const { sessions } = sessionHost({
        loginThrottle: { store },
        async verifyCredentials() {
          await new Promise<void>((resolve) => void waiting.push(resolve));
          return undefined;
        },
      });
      const guesses = Array.from({ length: 10 }, () => sessions.login({ login: '7' }).catch(() => {}));
      await vi.waitFor(() => expect(waiting).toHaveLength(10), 60_000);
      expect(await sessions.unlock('7')).toBe(store !== undefined);
      for (const resolve of waiting) resolve();
      await Promise.all(guesses);
      await expect(sessions.login({ login: '7' })).rejects.toMatchObject({ code: 'rate_limited' });
    }
  });

  it.each([undefined, null, 7, '', 'x'.repeat(257)])('refuses what cannot be a login: %j', async (login) => {
    await expect(sessionHost().sessions.unlock(login as string)).rejects.toThrow(TypeError);
  });

  it('has nothing to forget without a throttle', async () => {
    expect(await sessionHost({ loginThrottle: false }).sessions.unlock('7')).toBe(false);
  });

  it('fails if the store does', async () => {
    const store = { ...memoryLoginFailures(), forget: async () => Promise.reject(new Error('away')) };
    await expect(sessionHost({ loginThrottle: { store } }).sessions.unlock('7')).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

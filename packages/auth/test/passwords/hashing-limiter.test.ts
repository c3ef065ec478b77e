import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { numberTimers } from '../../../toolkit/test/number-timers.ts';
import { isAuthError } from '../../src/errors.ts';
import { createHashingLimiter, MAX_WAITING_PER_NETWORK } from '../../src/passwords/hashing-limiter.ts';

/** Tasks that finish when they are told to, and a record of what has started. */
function tasks() {
  const started: number[] = [];
  const finish = new Map<number, (error?: Error) => void>();
  const task = (id: number) => () =>
    new Promise<number>((resolve, reject) => {
      started.push(id);
      finish.set(id, (error) => (error === undefined ? resolve(id) : reject(error)));
    });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { started, task, finish: (id: number, error?: Error) => finish.get(id)?.(error), settled };
}

describe('createHashingLimiter', () => {
  it('runs two at once, keeps the order, and refuses at once when the queue is full', async () => {
    const { started, task, finish, settled } = tasks();
    const limiter = createHashingLimiter({ maxWaiting: 2 });
    const runs = [1, 2, 3, 4].map((id) => limiter.run(task(id)));
    await settled();
    expect(started).toEqual([1, 2]);

    const error = await limiter.run(task(5)).catch((reason: unknown) => reason);
    expect(isAuthError(error, 'hashing_busy')).toBe(true);

    finish(2);
    await settled();
    expect(started).toEqual([1, 2, 3]);
    const sixth = limiter.run(task(6));
    for (const id of [1, 3]) finish(id);
    await settled();
    expect(started).toEqual([1, 2, 3, 4, 6]);
    for (const id of [4, 6]) finish(id);
    expect(await Promise.all([...runs, sixth])).toEqual([1, 2, 3, 4, 6]);
  });

  it('serves networks in turn, whatever the addresses in them, and clients without one as one network', async () => {
    const { started, task, finish, settled } = tasks();
    const limiter = createHashingLimiter({ maxConcurrent: 1 });
    const clients = [
      '2001:db8:1::1',
      '2001:db8:1:1::1',
      '[2001:db8:1:2::1]:443',
      '2001:db8:1:3::1',
      '192.0.2.1:40001',
      '::ffff:192.0.2.1',
      undefined,
      'no address',
    ];
    const runs = clients.map((ip, id) => limiter.run(task(id), { ip }));
    for (let served = 0; served < clients.length; served++) {
      await settled();
      finish(started.at(-1) ?? -1);
    }
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 4, 6, 2, 5, 7, 3]);
  });

  inOneTest([
    ['an IPv4 address', (i: number) => `192.0.2.1:${i}`],
    ['a /48', (i: number) => `2001:db8:1:${i}::1`],
  ])('lets sixteen of %s wait, and others still find room', async (_, ipOf) => {
    const { started, task, finish, settled } = tasks();
    const limiter = createHashingLimiter({ maxConcurrent: 1 });
    const flood = Array.from({ length: 140 }, (_unused, i) => limiter.run(task(i), { ip: ipOf(i) }));
    const outcomes = Promise.allSettled(flood);
    const other = limiter.run(task(140), { ip: '198.51.100.1' });
    for (let served = 0; served < 2 + MAX_WAITING_PER_NETWORK; served++) {
      await settled();
      finish(started.at(-1) ?? -1);
    }
    expect(await other).toBe(140);
    expect(started.indexOf(140)).toBe(2);
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(140 - 1 - MAX_WAITING_PER_NETWORK);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: 'hashing_busy' } });
  });

  it('lets clients without an address wait up to the bound of all', async () => {
    const { task, finish, settled } = tasks();
    const limiter = createHashingLimiter({ maxConcurrent: 1, maxWaiting: 20 });
    const runs = Promise.allSettled(Array.from({ length: 30 }, (_, i) => limiter.run(task(i))));
    for (let i = 0; i < 21; i++) {
      await settled();
      finish(i);
    }
    expect((await runs).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 21 }, () => 'fulfilled'),
      ...Array.from({ length: 9 }, () => 'rejected'),
    ]);
  });

  it('makes a client wait for one hash of each other network before each of its own', async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 64 });
    await fc.assert(
      fc.asyncProperty(arrivals, async (networks) => {
        const { started, task, finish, settled } = tasks();
        const limiter = createHashingLimiter({ maxConcurrent: 1 });
        const asked = new Map<number, number>();
        const accepted: number[] = [];
        const runs = networks.map((network, id) => {
          const place = asked.get(network) ?? 0;
          const isFull = place >= MAX_WAITING_PER_NETWORK + (network === networks[0] ? 1 : 0);
          if (!isFull) accepted.push(id);
          asked.set(network, place + 1);
          return limiter.run(task(id), { ip: `192.0.2.${network}` });
        });
        const outcomes = Promise.allSettled(runs);
        for (let served = 0; served < accepted.length; served++) {
          await settled();
          finish(started.at(-1) ?? -1);
        }
        await outcomes;
        expect(started.toSorted((a, b) => a - b)).toEqual(accepted);
        // Whenever a network still waits, no other one is served twice before it.
        for (const [at, id] of started.entries()) {
          const before = started.slice(1, at);
          const own = before.filter((other) => networks[other] === networks[id]).length;
          for (const network of new Set(networks)) {
            const served = before.filter((other) => networks[other] === network).length;
            expect(served).toBeLessThanOrEqual(own + 1);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it('refuses tasks that wait once none has settled for 5 s, and later ones at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    numberTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { started, task, finish, settled } = tasks();
    const limiter = createHashingLimiter({ maxConcurrent: 2 });
    const [first] = [1, 2].map((id) => limiter.run(task(id)));
    const waiting = [3, 4, 5].map((id) => limiter.run(task(id), { iterations: 10_000_000 }));
    const refusals: unknown[] = [];
    for (const run of waiting) run.catch((error: unknown) => refusals.push(error));
    await vi.advanceTimersByTimeAsync(4_900);
    finish(1);
    expect(await first).toBe(1);
    // A slot that was given back shows that the queue moves.
    await vi.advanceTimersByTimeAsync(4_900);
    expect([started, refusals]).toEqual([[1, 2, 3], []]);
    const refused = Promise.allSettled(waiting.slice(1));
    await vi.advanceTimersByTimeAsync(200);
    for (const outcome of await refused) expect(outcome).toMatchObject({ reason: { code: 'hashing_busy' } });
    const late = limiter.run(task(6));
    await expect(late).rejects.toMatchObject({ code: 'hashing_busy', retryAfterSeconds: 5 });
    finish(3);
    await waiting[0];
    const next = limiter.run(task(7));
    await settled();
    finish(7);
    expect(await next).toBe(7);
    finish(2);
  });

  it('gives its slot back when a task fails', async () => {
    const { started, task, finish, settled } = tasks();
    const limiter = createHashingLimiter({ maxConcurrent: 1, maxWaiting: 1 });
    const failing = limiter.run(task(1));
    const waiting = limiter.run(task(2));
    await settled();
    finish(1, new Error('out of memory'));
    await expect(failing).rejects.toThrow('out of memory');
    await settled();
    finish(2);
    expect(await waiting).toBe(2);
    expect(started).toEqual([1, 2]);
  });

  inOneTest([
    ['64 that wait at 100,000 iterations', 2, 64, 100_000, 2],
    ['64 that wait at 600,000 iterations', 2, 64, 600_000, 10],
    ['twice as many at once', 4, 62, 600_000, 5],
    ['tasks of an unknown cost', 2, 64, undefined, 2],
    ['none that waits, and one that runs', 1, 0, 100_000, 1],
    ['the smallest work, which is one second', 1, 1, 1, 1],
    ['ten thousand that wait, which are a minute at most', 1, 10_000, 600_000, 60],
  ])(
    'calls back after the work that runs and waits: %s',
    async (_, maxConcurrent, maxWaiting, iterations, expected) => {
      const { task, finish, settled } = tasks();
      const limiter = createHashingLimiter({ maxConcurrent, maxWaiting });
      const accepted = maxConcurrent + maxWaiting;
      const runs = Array.from({ length: accepted }, (_unused, id) => limiter.run(task(id), { iterations }));
      const refused = limiter.run(task(accepted), { iterations });
      await expect(refused).rejects.toMatchObject({ code: 'hashing_busy', retryAfterSeconds: expected });
      for (let id = 0; id < accepted; id++) {
        await settled();
        finish(id);
      }
      await Promise.all(runs);
    },
  );

  it('forgets the work that is done, that of a task that failed included', async () => {
    const { task, finish, settled } = tasks();
    const limiter = createHashingLimiter({ maxConcurrent: 1, maxWaiting: 1 });
    const costly = [1, 2].map((id) => limiter.run(task(id), { iterations: 10_000_000 }));
    const outcomes = Promise.allSettled(costly);
    await expect(limiter.run(task(0))).rejects.toMatchObject({ retryAfterSeconds: 10 });
    await settled();
    finish(1, new Error('out of memory'));
    await settled();
    finish(2);
    await outcomes;
    const cheap = [3, 4].map((id) => limiter.run(task(id)));
    await expect(limiter.run(task(0))).rejects.toMatchObject({ retryAfterSeconds: 1 });
    for (const id of [3, 4]) {
      await settled();
      finish(id);
    }
    expect(await Promise.all(cheap)).toEqual([3, 4]);
  });

  inOneTest([0, -1, 1.5, Number.NaN, 10_000_001])('refuses a task of %s iterations', async (iterations) => {
    const { task, started } = tasks();
    await expect(createHashingLimiter().run(task(1), { iterations })).rejects.toThrow(TypeError);
    expect(started).toEqual([]);
  });

  inOneTest([
    { maxConcurrent: 0 },
    { maxConcurrent: 65 },
    { maxConcurrent: 1.5 },
    { maxWaiting: -1 },
    { maxWaiting: 10_001 },
    { maxConcurent: 1 },
  ])('refuses %j', (options) => {
    expect(() => createHashingLimiter(options)).toThrow(TypeError);
  });
});

import { describe, expect, it } from 'vitest';
import { isAuthError } from '../../src/errors.ts';
import { createHashingLimiter } from '../../src/passwords/hashing-limiter.ts';

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
    expect(isAuthError(error, 'hashing_busy') && error.retryAfterSeconds).toBe(2);

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

  it.each([
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

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';

const forEver = () => new Promise<never>(() => {});

describe('a dispatch that a storage which hangs never takes', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it.each([
    ['without a key', {}],
    ['with a key', { idempotencyKey: 'k' }],
  ])('is rejected with `closed` when the engine has closed (%s)', async (_name, options) => {
    const told: string[] = [];
    const engine = createWebhooks({
      storage: { ...memoryStorage(), recordDispatches: forEver },
      onError: ({ code }) => told.push(code),
    });
    const dispatched = Promise.allSettled([
      engine.dispatch('user.created', { n: 1 }, options),
      engine.dispatch('user.created', { n: 2 }, { ...options }),
    ]);
    await vi.advanceTimersByTimeAsync(0);
    const late = engine.dispatch('user.created', { n: 3 }, { idempotencyKey: 'another' });
    const closed = engine.close();
    await vi.advanceTimersByTimeAsync(35_000);
    await closed;
    const reason = expect.objectContaining({ code: 'closed' });
    expect(await dispatched).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    await expect(late).rejects.toMatchObject({ code: 'closed' });
    expect(told).toEqual(['closed', 'closed', 'closed']);
    expect(engine.stats()).toMatchObject({ refused: 3, dispatched: 0 });
    expect(await engine.health()).toMatchObject({ waitingDispatches: 0 });
  });
});

import type { Dispatcher } from 'undici';
import { expect, it, vi } from 'vitest';
import type { DeliveryQueue } from '../../src/queue/queue.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';

const connections = vi.hoisted(() => ({ asked: 0 }));

/**
 * What a runtime does that answers the import of undici with a client of its own: the connector is
 * not consulted.
 */
vi.mock('undici/index.js', () => ({
  Client: class {
    readonly stats = { connected: true };
    on(): void {}
    async destroy(): Promise<void> {}
    dispatch(_: unknown, handler: Dispatcher.DispatchHandler): boolean {
      connections.asked += 1;
      const controller = { abort() {}, pause() {}, resume() {}, paused: false, aborted: false, reason: null };
      handler.onResponseStart?.(controller, 200, {}, 'OK');
      handler.onResponseEnd?.(controller, {});
      return true;
    }
  },
}));

it('an engine does not start where the HTTP client ignores the guard, and may be closed then', async () => {
  const started = vi.fn(async () => undefined);
  const queue: DeliveryQueue = { enqueue: async () => {}, start: started, stop: async () => {} };
  const webhooks = createWebhooks({ storage: memoryStorage(), queue });
  await expect(webhooks.start()).rejects.toMatchObject({ code: 'egress_guard_inactive' });
  expect([connections.asked, started.mock.calls]).toEqual([1, []]);
  await webhooks.close();
});

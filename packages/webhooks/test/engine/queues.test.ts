import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { type OpenedBackend, queueServers } from '../contract/queue-servers.ts';
import { createTestEngine, type TestEngine } from './engine.ts';
import { type Recipient, startRecipient } from './recipient.ts';

/**
 * Engines that share one storage, each with a queue of its own, stand for processes. No sweep helps
 * them.
 */
describe.each(queueServers)('engines on $name', ({ skipped, open, reportsLoss }) => {
  let backend: OpenedBackend;
  let storage: WebhookStorage;
  let target: Recipient;
  const engines: TestEngine[] = [];

  beforeEach(async () => {
    if (skipped !== undefined) return;
    backend = await open();
    storage = memoryStorage();
    target = await startRecipient();
  });
  afterEach(async () => {
    if (skipped !== undefined) return;
    await Promise.all(engines.splice(0).map(({ webhooks }) => webhooks.close()));
    await target.close();
    await backend.close();
  });

  function engine(options: Parameters<typeof createTestEngine>[1] = {}, on = storage): TestEngine {
    const created = createTestEngine(on, { queue: backend.createQueue(), ...options });
    engines.push(created);
    return created;
  }

  /** An engine that delivers, after the sweep that every start begins with. */
  async function worker(options: Parameters<typeof createTestEngine>[1] = {}): Promise<TestEngine> {
    let claims = 0;
    const created = engine(options, {
      ...storage,
      claimDueDeliveries(request) {
        claims += 1;
        return storage.claimDueDeliveries(request);
      },
    });
    await created.webhooks.start();
    await expect.poll(() => claims).toBeGreaterThan(0);
    await created.webhooks.drain();
    return created;
  }

  const it = test.skipIf(skipped);

  it('deliver what a process that never starts has dispatched', async () => {
    const { webhooks } = engine();
    const { id } = await webhooks.create({ url: target.url });
    const { ended } = await worker();
    await webhooks.dispatch('user.created', {});
    expect(await ended(id)).toMatchObject({ status: 'success', attempts: 1 });
  });

  it('deliver what they dispatch themselves while the backend is away', async () => {
    const { webhooks, ended, errors } = await worker();
    const { id } = await webhooks.create({ url: target.url });
    await backend.link.cut();
    await webhooks.dispatch('user.created', {});
    expect(await ended(id)).toMatchObject({ status: 'success', attempts: 1 });
    await expect.poll(() => new Set(errors.map(({ code }) => code))).toEqual(new Set(['queue_unavailable']));
  });

  it('start deliveries of a saturated worker on two idle ones', async () => {
    const hanging: ServerResponse[] = [];
    let isHanging = true;
    await target.close();
    target = await startRecipient((_, response) => {
      if (isHanging) hanging.push(response);
      else response.writeHead(204).end();
    });
    const busy = await worker({ concurrency: 1 });
    await busy.webhooks.create({ url: target.url, events: ['user.deleted'] });
    await busy.webhooks.dispatch('user.deleted', {});
    await target.receivedCount(1);
    const idle = await Promise.all([worker({ concurrency: 5 }), worker({ concurrency: 5 })]);
    for (let n = 0; n < 20; n += 1) await busy.webhooks.create({ url: target.url, events: ['user.created'] });

    const isStarted = async () => {
      // Whichever of the two asks the backend first gets a wake-up: both do within a few of them.
      await busy.webhooks.dispatch('user.created', {});
      const healths = await Promise.all(idle.map(({ webhooks }) => webhooks.health()));
      return healths.every(({ inFlight }) => inFlight > 0);
    };
    try {
      await expect.poll(isStarted, { interval: 100, timeout: 60_000 }).toBe(true);
    } finally {
      isHanging = false;
      for (const response of hanging) response.writeHead(204).end();
    }
  });

  it('repeat a failed attempt when its job is due', async () => {
    await target.close();
    target = await startRecipient((_, response, n) => response.writeHead(n === 1 ? 503 : 204).end());
    const { webhooks, ended } = await worker({ retry: { delaysMs: [1_100] } });
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    expect(await ended(id)).toMatchObject({ status: 'success', attempts: 2 });
  });

  it('send each of many deliveries once, and leave no job behind', async () => {
    const { webhooks } = engine();
    await webhooks.create({ url: target.url });
    await Promise.all([worker({ concurrency: 5 }), worker({ concurrency: 5 })]);
    const dispatches = Array.from({ length: 300 }, (_, n) => webhooks.dispatch('user.created', { n }));
    await Promise.all(dispatches);
    await target.receivedCount(300);
    const ids = target.received.map(({ headers }) => headers['x-webhook-id']);
    expect(new Set(ids).size).toBe(300);
    await expect.poll(() => backend.jobs()).toEqual([]);
    expect(target.received).toHaveLength(300);
  });

  it('file a job with the id of its delivery, and remove it once a worker has polled', async () => {
    const { webhooks } = engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    const [delivery] = (await webhooks.deliveries(id)).deliveries;
    await expect.poll(() => backend.jobs()).toEqual([{ deliveryIds: [delivery?.deliveryId] }]);
    const { ended } = await worker();
    expect(await ended(id)).toMatchObject({ status: 'success' });
    await expect.poll(() => backend.jobs()).toEqual([]);
  });

  it('file few jobs for many deliveries, whether or not a worker runs', async () => {
    const { webhooks } = engine();
    await webhooks.create({ url: target.url });
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => webhooks.dispatch('user.created', {})));
    }
    await webhooks.close();
    const jobs = await backend.jobs();
    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.length).toBeLessThanOrEqual(10);
  });

  it('tell the others of a dispatch before they close', async () => {
    const { webhooks } = engine();
    await webhooks.create({ url: target.url });
    void webhooks.dispatch('user.created', {});
    await webhooks.close();
    expect(await backend.jobs()).toHaveLength(1);
  });

  it('find by their sweep what the backend did not take', async () => {
    const { webhooks, errors } = engine();
    await webhooks.create({ url: target.url });
    await worker({ sweepIntervalMs: 100 });
    await webhooks.dispatch('user.created', {});
    await target.receivedCount(1);

    await backend.link.cut();
    expect(await webhooks.dispatch('user.created', {})).toMatchObject({ deliveries: 1 });
    await target.receivedCount(2);
    await expect.poll(() => new Set(errors.map(({ code }) => code))).toEqual(new Set(['queue_unavailable']));
  });

  it('are told again once a backend that was away is back', { timeout: 240_000 }, async () => {
    const { webhooks, errors } = engine();
    await webhooks.create({ url: target.url });
    const { errors: errorsOfWorker } = await worker();
    await backend.link.cut();
    await webhooks.dispatch('user.created', {});
    await expect.poll(() => errors.map(({ code }) => code)).toEqual(['queue_unavailable']);
    if (reportsLoss) {
      await expect.poll(() => errorsOfWorker.map(({ code }) => code)).toEqual(['queue_unavailable']);
    }
    expect(target.received).toEqual([]);

    await backend.link.repair();
    const dispatchUntilReceived = async (): Promise<number> => {
      await webhooks.dispatch('user.created', {});
      return target.received.length;
    };
    await expect.poll(dispatchUntilReceived, { timeout: 60_000, interval: 500 }).toBeGreaterThan(0);
  });

  it('start once the backend is there, after a start that failed', async () => {
    await backend.link.cut();
    const { webhooks, ended } = engine();
    await expect(webhooks.start()).rejects.toMatchObject({ code: 'queue_unavailable' });
    await backend.link.repair();
    await expect.poll(() => webhooks.start().then(() => 'started', String)).toBe('started');
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    expect(await ended(id)).toMatchObject({ status: 'success' });
  });
});

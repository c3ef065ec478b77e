import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseEvenly } from '../../contract/storage/choose-evenly.ts';
import type { ClaimRequest } from '../../src/storage/delivery-requests.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createTestEngine, type TestEngine } from '../engine/engine.ts';
import { type Recipient, startRecipient } from '../engine/recipient.ts';
import { type OpenedStorage, STORAGES } from '../engine/storages.ts';

describe.each(STORAGES)('recovery on $name', ({ open }) => {
  let opened: OpenedStorage;
  let target: Recipient;
  let now: number;
  const engines: TestEngine[] = [];

  beforeEach(async () => {
    opened = await open();
    target = await startRecipient();
    now = Date.parse('2026-11-20T12:00:00.000Z');
  });
  afterEach(async () => {
    await Promise.all(engines.splice(0).map(({ webhooks }) => webhooks.close()));
    await target.close();
    await opened.close();
  });

  function engine(
    options: Parameters<typeof createTestEngine>[1] = {},
    storage: WebhookStorage<never> = opened.storage,
  ): TestEngine {
    const created = createTestEngine(storage, { clock: () => now, sweepIntervalMs: 100, ...options });
    engines.push(created);
    return created;
  }

  /** Claims as a worker does that then vanishes. */
  function claimAndVanish(request: Partial<ClaimRequest> = {}) {
    return opened.storage.claimDueDeliveries({
      now,
      limit: 10,
      leaseMs: 45_000,
      maxAttempts: 4,
      claimToken: 'vanished',
      isFromStart: true,
      choose: chooseEvenly(10),
      ...request,
    });
  }

  it('sends again what two vanished workers held, once the lease has ended, and logs each attempt as lost', async () => {
    const { webhooks, ended } = engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    expect(await claimAndVanish()).toHaveLength(1);
    now += 46_000;
    expect(await claimAndVanish({ claimToken: 'vanished too' })).toHaveLength(1);

    now += 44_000;
    await webhooks.start();
    await webhooks.dispatch('user.updated', {});
    await target.receivedCount(1);
    expect(target.received[0]?.headers['x-webhook-event']).toBe('user.updated');

    now += 2_000;
    await target.receivedCount(2);
    const [, first] = (await webhooks.deliveries(id)).deliveries;
    const delivery = await ended(id, first?.deliveryId);
    expect(delivery).toMatchObject({ event: 'user.created', status: 'success', attempts: 3 });
    expect(delivery.attemptLog.map(({ attempt, error }) => [attempt, error])).toEqual([
      [1, 'worker_lost'],
      [2, 'worker_lost'],
      [3, ''],
    ]);
    expect(target.received[1]?.headers['x-webhook-attempt']).toBe('3');
  });

  it('ends as failed a delivery whose last attempt vanished, without another one', async () => {
    const { webhooks, ended, failed } = engine();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    for (let n = 0; n < 4; n += 1) {
      expect(await claimAndVanish({ claimToken: `vanished ${n}` })).toHaveLength(1);
      now += 46_000;
    }
    await webhooks.start();
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: 'worker_lost',
      attempts: 4,
      statusCode: 0,
    });
    expect(target.received).toEqual([]);
    expect(failed).toMatchObject([{ error: 'worker_lost', attempts: 4 }]);
  });

  it('goes on when a claim fails, and says so', async () => {
    let refusals = 1;
    const { webhooks, ended, errors } = engine(
      {},
      {
        ...opened.storage,
        claimDueDeliveries(request) {
          if (refusals === 0) return opened.storage.claimDueDeliveries(request);
          refusals -= 1;
          return Promise.reject(new Error('connection lost'));
        },
      },
    );
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.start();
    expect(await ended(id)).toMatchObject({ status: 'success' });
    expect(errors).toMatchObject([{ code: 'storage_unavailable' }]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { chooseEvenly } from '../../contract/storage/choose-evenly.ts';
import type { ClaimRequest } from '../../src/storage/delivery-requests.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';
import type { Recipient } from '../engine/recipient.ts';
import { STORAGES } from '../engine/storages.ts';

describe.each(STORAGES)('recovery on $name', ({ open }) => {
  const harness = useEngineHarness(open);
  let target: Recipient;
  let now: number;

  beforeEach(async () => {
    target = await harness.recipient();
    now = Date.parse('2026-11-20T12:00:00.000Z');
  });

  const engine: typeof harness.engine = (options, storage) =>
    harness.engine({ clock: () => now, sweepIntervalMs: 100, ...options }, storage);

  /** Claims as a worker does that then vanishes. */
  function claimAndVanish(request: Partial<ClaimRequest> = {}) {
    return harness.storage.claimDueDeliveries({
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
        ...harness.storage,
        claimDueDeliveries(request) {
          if (refusals === 0) return harness.storage.claimDueDeliveries(request);
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

import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDrain } from '../../src/delivery/drain.ts';
import { WebhookError } from '../../src/errors.ts';
import { createNotifier } from '../../src/hooks/notifier.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { STORAGES } from '../engine/storages.ts';

/** Longer than claims are apart. */
const CLAIM_MS = 20;

describe.each(STORAGES)('drain on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it('resolves once everything dispatched before it has been delivered and recorded', async () => {
    const target = await harness.recipient();
    const { webhooks } = harness.engine({ maxConcurrentPerWebhook: 3 });
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    // Not awaited: what is not durable yet is waited for as well.
    for (let n = 0; n < 40; n += 1) void webhooks.dispatch('user.created', { n });
    await webhooks.drain();
    expect(target.received).toHaveLength(40);
    expect((await webhooks.get(id)).stats).toEqual({ total: 40, success: 40, failed: 0, pending: 0 });
  });

  it('delivers what another process wrote, without a wake-up or a sweep', async () => {
    const target = await harness.recipient();
    const writer = harness.engine();
    const { webhooks } = harness.engine();
    await webhooks.start();
    await webhooks.drain();
    await writer.webhooks.create({ url: target.url });
    await writer.webhooks.dispatch('user.created', {});
    await webhooks.drain();
    expect(target.received).toHaveLength(1);
  });

  it('waits for what is dispatched while it asks the storage whether anything is left', async () => {
    const target = await harness.recipient();
    const late: Promise<unknown>[] = [];
    const { webhooks } = harness.engine(
      {},
      {
        ...harness.storage,
        async dueSummary(request) {
          const summary = await harness.storage.dueSummary(request);
          if (late.length < 3) late.push(webhooks.dispatch('user.created', {}));
          return summary;
        },
      },
    );
    await webhooks.start();
    await webhooks.create({ url: target.url });
    await webhooks.drain();
    await Promise.all(late);
    expect(webhooks.stats()).toMatchObject({ deliveries: 3, succeeded: 3 });
    expect(target.received).toHaveLength(3);
  });

  it('ends for all who wait at once, where a claim takes a while', async () => {
    const { webhooks } = harness.engine(
      {},
      {
        ...harness.storage,
        async claimDueDeliveries(request) {
          await setTimeout(CLAIM_MS);
          return harness.storage.claimDueDeliveries(request);
        },
      },
    );
    await webhooks.start();
    const { id } = await webhooks.create({ url: (await harness.recipient()).url });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    expect((await webhooks.get(id)).stats.success).toBe(1);
    // The claim of the first is under way when the second asks for one.
    const options = { timeoutMs: 2_000 };
    await Promise.all([webhooks.drain(options), webhooks.drain(options), webhooks.drain(options)]);
  });

  it("leaves retries that are due later, and makes them once the host's clock says so", async () => {
    const target = await harness.recipient((_, response, n) => response.writeHead(n < 3 ? 500 : 204).end());
    let now = Date.parse('2026-11-20T12:00:00.000Z');
    const { webhooks } = harness.engine({ clock: () => now, retry: { delaysMs: [60_000, 600_000] } });
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    expect(target.received).toHaveLength(1);
    await webhooks.drain();
    expect(target.received).toHaveLength(1);
    now += 120_000;
    await webhooks.drain();
    expect(target.received).toHaveLength(2);
    now += 1_200_000;
    await webhooks.drain();
    expect((await webhooks.get(id)).stats).toMatchObject({ success: 1 });
  });

  it('resolves at once when there is nothing to do', async () => {
    const { webhooks } = harness.engine();
    await webhooks.start();
    await Promise.all([webhooks.drain(), webhooks.drain(), webhooks.drain()]);
  });

  it('gives up after its time, and leaves the engine at work', async () => {
    const held: ServerResponse[] = [];
    const target = await harness.recipient((_, response) => held.push(response));
    const { webhooks } = harness.engine();
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    await target.receivedCount(1);
    await expect(webhooks.drain({ timeoutMs: 20 })).rejects.toMatchObject({ code: 'drain_timeout' });
    held[0]?.writeHead(204).end();
    await webhooks.drain();
    expect((await webhooks.get(id)).stats).toMatchObject({ success: 1 });
  });

  it('refuses to wait for an engine that was not started, or is closed', async () => {
    const { webhooks } = harness.engine();
    await expect(webhooks.drain()).rejects.toMatchObject({ code: 'not_started' });
    await webhooks.start();
    await webhooks.drain();
    await webhooks.close();
    await expect(webhooks.drain()).rejects.toMatchObject({ code: 'closed' });
  });

  it('ends with an error when the engine is closed meanwhile', async () => {
    const held: ServerResponse[] = [];
    const target = await harness.recipient((_, response) => held.push(response));
    const { webhooks } = harness.engine({ concurrency: 1 });
    await webhooks.start();
    await webhooks.create({ url: target.url });
    await Promise.all([webhooks.dispatch('user.created', {}), webhooks.dispatch('user.created', {})]);
    await target.receivedCount(1);
    const drained = expect(webhooks.drain()).rejects.toMatchObject({ code: 'closed' });
    const closed = webhooks.close();
    held[0]?.writeHead(204).end();
    await Promise.all([drained, closed]);
    expect(target.received).toHaveLength(1);
  });

  it('says so when the storage is away', async () => {
    const { webhooks } = harness.engine(
      {},
      { ...harness.storage, dueSummary: () => Promise.reject(new Error('connection lost')) },
    );
    await webhooks.start();
    await expect(webhooks.drain()).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  it('says so when claims alone fail, instead of asking again and again', async () => {
    const { webhooks, errors } = harness.engine(
      {},
      { ...harness.storage, claimDueDeliveries: () => Promise.reject(new Error('connection lost')) },
    );
    await webhooks.start();
    await webhooks.create({ url: (await harness.recipient()).url });
    await webhooks.dispatch('user.created', {});
    await expect(webhooks.drain({ timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'storage_unavailable' });
    // The first sweep, the wake-up of the dispatch and the drain.
    expect(errors.length).toBeLessThanOrEqual(3);
  });

  it.each([{ timeoutMs: 0 }, { timeoutMs: 3_600_001 }, { timeout: 5 }])('refuses %j', async (options) => {
    const { webhooks } = harness.engine();
    await expect(webhooks.drain(options as object)).rejects.toThrow(TypeError);
  });
});

describe('drain, where a result is given up', () => {
  const lost = new WebhookError('storage_unavailable', 'The storage failed');

  /**
   * A drain of an engine that loses a result while it is waited for. A real one tries for 15 s
   * before.
   */
  function drainThatLoses(results: number) {
    const notifier = createNotifier({}, silentLogger);
    notifier.error('record', new WebhookError('storage_unavailable', 'Lost before anybody drained'));
    let left = results;
    return createDrain({
      storage: { dueSummary: async () => ({ due: 0, oldestDueMs: null }) },
      runner: {
        poll: async () => {},
        isIdle: () => true,
        tokenInMs: () => Number.POSITIVE_INFINITY,
        async attemptsEnded() {
          if (left > 0) notifier.error('record', lost);
          left -= 1;
        },
      },
      dispatcher: { waiting: () => 0, idle: async () => {} },
      followOutages: async () => {},
      state: () => 'running',
      clock: Date.now,
      notifier,
    });
  }

  it('rejects, since the delivery was made and nobody can see it', async () => {
    await expect(drainThatLoses(1).drain()).rejects.toBe(lost);
  });

  it('resolves when that was before it was asked', async () => {
    await drainThatLoses(0).drain();
  });
});

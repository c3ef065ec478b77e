import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { useEngineStage } from './engine-stage.ts';
import type { Answer } from './recipient.ts';
import { STORAGES } from './storages.ts';

/** A recipient that answers when it is told, and how many of its callbacks are open. */
function heldAnswers() {
  const open: ServerResponse[] = [];
  let most = 0;
  const answer: Answer = (_, response) => {
    open.push(response);
    most = Math.max(most, open.length);
  };
  const release = () => {
    for (const response of open.splice(0)) response.writeHead(204).end();
  };
  return { answer, release, most: () => most, open: () => open.length };
}

/** The same storage, and the claims asked of it. */
function countingClaims(storage: WebhookStorage<never>) {
  const limits: number[] = [];
  const counting: WebhookStorage<never> = {
    ...storage,
    claimDueDeliveries(request) {
      limits.push(request.limit);
      return storage.claimDueDeliveries(request);
    },
  };
  return { counting, limits };
}

describe.each(STORAGES)('fairness between webhooks on $name', ({ open }) => {
  const stage = useEngineStage(open);

  it('delivers to others past a recipient that hangs and has many older deliveries due', async () => {
    const slow = heldAnswers();
    const hanging = await stage.recipient(slow.answer);
    const healthy = await stage.recipient();
    const { webhooks } = stage.engine({ concurrency: 20 });
    const { id } = await webhooks.create({ url: hanging.url, events: ['slow.*'] });
    await webhooks.create({ url: healthy.url, events: ['fast.*'] });
    await Promise.all(Array.from({ length: 60 }, (_, n) => webhooks.dispatch('slow.event', { n })));
    await Promise.all(Array.from({ length: 60 }, (_, n) => webhooks.dispatch('fast.event', { n })));
    await webhooks.start();

    await healthy.receivedCount(60);
    await hanging.receivedCount(10);
    expect(hanging.received).toHaveLength(10);

    // No hint comes any more and the sweep is an hour away: the ends of its own attempts make the engine look again.
    for (let answered = 10; answered <= 60; answered += 10) {
      await hanging.receivedCount(answered);
      await expect.poll(slow.open).toBe(10);
      slow.release();
    }
    await webhooks.drain();
    expect((await webhooks.get(id)).stats).toMatchObject({ success: 60, pending: 0 });
    expect(slow.most()).toBe(10);
  });

  it.each([
    [{ maxConcurrentPerWebhook: 3 }, 3],
    [{ maxConcurrentPerWebhook: 10, concurrency: 4 }, 4],
    [{ maxConcurrentPerWebhook: 1 }, 1],
    [{}, 10],
  ])('attempts no more at once to one webhook than %j allows', async (options, atOnce) => {
    const held = heldAnswers();
    const target = await stage.recipient(held.answer);
    const { webhooks } = stage.engine(options);
    await webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 24 }, (_, n) => webhooks.dispatch('user.created', { n })));
    await webhooks.start();
    await target.receivedCount(atOnce);
    await expect.poll(() => webhooks.health()).toMatchObject({ inFlight: atOnce, backlog: 24 - atOnce });
    while (target.received.length < 24) {
      const next = Math.min(target.received.length + 1, 24);
      held.release();
      await target.receivedCount(next);
    }
    held.release();
    await webhooks.close();
    expect(held.most()).toBeLessThanOrEqual(atOnce);
  });

  it('claims in groups when attempts to a webhook that has its share end together', async () => {
    const held = heldAnswers();
    const target = await stage.recipient(held.answer);
    const { counting, limits } = countingClaims(stage.storage);
    const { webhooks } = stage.engine({}, counting);
    await webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 100 }, (_, n) => webhooks.dispatch('user.created', { n })));
    await webhooks.start();
    for (let answered = 10; answered <= 100; answered += 10) {
      await target.receivedCount(answered);
      await expect.poll(held.open).toBe(10);
      held.release();
    }
    await webhooks.close();
    // Ten rounds of ten: a claim for each slot that came free would be a hundred.
    expect(limits.length).toBeLessThanOrEqual(50);
  });

  it('sends first attempts before the retries that are due at the same time', async () => {
    const held = heldAnswers();
    let now = Date.parse('2026-11-20T12:00:00.000Z');
    const failing = await stage.recipient((_, response) => response.writeHead(500).end());
    const first = stage.engine({ clock: () => now, retry: { delaysMs: [1_000] } });
    const { id } = await first.webhooks.create({ url: failing.url });
    await Promise.all(Array.from({ length: 5 }, (_, n) => first.webhooks.dispatch('user.retried', { n })));
    await first.webhooks.start();
    await first.webhooks.drain();
    await first.webhooks.close();
    expect((await first.webhooks.get(id)).stats.pending).toBe(5);

    now += 30_000;
    const target = await stage.recipient(held.answer);
    const second = stage.engine({ clock: () => now, maxConcurrentPerWebhook: 5 });
    await second.webhooks.update(id, { url: target.url });
    await Promise.all(Array.from({ length: 5 }, (_, n) => second.webhooks.dispatch('user.created', { n })));
    await second.webhooks.start();
    await target.receivedCount(5);
    expect(target.received.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(Array(5).fill('1'));
    await expect.poll(held.open).toBe(5);
    held.release();
    await target.receivedCount(10);
    expect(target.received.slice(5).map(({ headers }) => headers['x-webhook-attempt'])).toEqual(
      Array(5).fill('2'),
    );
    await expect.poll(held.open).toBe(5);
    held.release();
  });

  it('asks the storage once when nothing is due, and not again for attempts that end', async () => {
    const held = heldAnswers();
    const target = await stage.recipient(held.answer);
    const { counting, limits } = countingClaims(stage.storage);
    const { webhooks } = stage.engine({}, counting);
    await webhooks.create({ url: target.url });
    await webhooks.start();
    await expect.poll(() => limits.length).toBe(1);
    await Promise.all(Array.from({ length: 3 }, (_, n) => webhooks.dispatch('user.created', { n })));
    await target.receivedCount(3);
    const before = limits.length;
    await expect.poll(held.open).toBe(3);
    held.release();
    await expect.poll(() => webhooks.stats().succeeded).toBe(3);
    await expect.poll(() => webhooks.health()).toMatchObject({ inFlight: 0 });
    await webhooks.close();
    expect(limits.length - before).toBeLessThanOrEqual(1);
  });
});

import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { useEngineHarness } from './engine-harness.ts';
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

/**
 * Answers callbacks as soon as as many are open as the webhook's limit lets there be, until so many
 * have been answered.
 */
async function answerAll(
  held: ReturnType<typeof heldAnswers>,
  { first, max, count }: { readonly first: number; readonly max: number; readonly count: number },
): Promise<void> {
  for (let answered = 0; answered < count; ) {
    const limit = Math.min(first * 2 ** answered, max);
    const open = Math.min(limit, count - answered);
    await expect.poll(held.open).toBe(open);
    held.release();
    answered += open;
  }
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
  const harness = useEngineHarness(open);

  it('delivers to others past a recipient that hangs and has many older deliveries due', async () => {
    const slow = heldAnswers();
    const hanging = await harness.recipient(slow.answer);
    const healthy = await harness.recipient();
    const { webhooks } = harness.engine({ concurrency: 20 });
    const { id } = await webhooks.create({ url: hanging.url, events: ['slow.*'] });
    await webhooks.create({ url: healthy.url, events: ['fast.*'] });
    await Promise.all(Array.from({ length: 60 }, (_, n) => webhooks.dispatch('slow.event', { n })));
    await Promise.all(Array.from({ length: 60 }, (_, n) => webhooks.dispatch('fast.event', { n })));
    await webhooks.start();

    await healthy.receivedCount(60);
    await hanging.receivedCount(2);
    expect(hanging.received).toHaveLength(2);

    // No wake-up comes any more and the sweep is an hour away: the ends of its own attempts make
    // the engine poll again.
    await answerAll(slow, { first: 2, max: 10, count: 60 });
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
    const target = await harness.recipient(held.answer);
    const { webhooks } = harness.engine(options);
    await webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 24 }, (_, n) => webhooks.dispatch('user.created', { n })));
    await webhooks.start();
    const first = Math.min(2, atOnce);
    await target.receivedCount(first);
    await expect.poll(() => webhooks.health()).toMatchObject({ inFlight: first, backlog: 24 - first });
    await answerAll(held, { first, max: atOnce, count: 24 });
    await webhooks.close();
    expect(held.most()).toBe(atOnce);
  });

  it('claims in groups when attempts to a webhook at its limit end together', async () => {
    const held = heldAnswers();
    const target = await harness.recipient(held.answer);
    const { counting, limits } = countingClaims(harness.storage);
    const { webhooks } = harness.engine({}, counting);
    await webhooks.create({ url: target.url });
    await Promise.all(Array.from({ length: 100 }, (_, n) => webhooks.dispatch('user.created', { n })));
    await webhooks.start();
    await answerAll(held, { first: 2, max: 10, count: 100 });
    await webhooks.close();
    // About ten rounds of ten: a claim for each slot that came free would be a hundred.
    expect(limits.length).toBeLessThanOrEqual(50);
  });

  it('sends first attempts before the retries that are due at the same time', async () => {
    const held = heldAnswers();
    let now = Date.parse('2026-11-20T12:00:00.000Z');
    const failing = await harness.recipient((_, response) => response.writeHead(500).end());
    const first = harness.engine({ clock: () => now, retry: { delaysMs: [1_000] } });
    const { id } = await first.webhooks.create({ url: failing.url });
    await Promise.all(Array.from({ length: 5 }, (_, n) => first.webhooks.dispatch('user.retried', { n })));
    await first.webhooks.start();
    await first.webhooks.drain();
    await first.webhooks.close();
    expect((await first.webhooks.get(id)).stats.pending).toBe(5);

    now += 30_000;
    const target = await harness.recipient(held.answer);
    const second = harness.engine({ clock: () => now, maxConcurrentPerWebhook: 5 });
    await second.webhooks.update(id, { url: target.url });
    await Promise.all(Array.from({ length: 5 }, (_, n) => second.webhooks.dispatch('user.created', { n })));
    await second.webhooks.start();
    await answerAll(held, { first: 2, max: 5, count: 10 });
    const attempts = target.received.map(({ headers }) => headers['x-webhook-attempt']);
    expect(attempts).toEqual([...Array(5).fill('1'), ...Array(5).fill('2')]);
  });

  it('leaves slots to healthy webhooks when twelve recipients hang, from their first timeouts on', async () => {
    const hanging = await harness.recipient(() => {});
    const healthy = await harness.recipient();
    const { webhooks } = harness.engine({
      concurrency: 10,
      egress: { allowedAddresses: ['127.0.0.1/32'], timeoutMs: 300 },
    });
    for (let index = 0; index < 12; index++) {
      await webhooks.create({ url: `${hanging.url}/${index}`, events: ['slow.*'] });
    }
    await webhooks.create({ url: healthy.url, events: ['fast.*'] });
    for (let n = 0; n < 20; n++) await webhooks.dispatch('slow.event', { n });
    await webhooks.start();
    // Each of them once, and some of them again.
    await hanging.receivedCount(17);
    for (let n = 0; n < 30; n++) await webhooks.dispatch('fast.event', { n });
    const before = hanging.received.length;
    await healthy.receivedCount(30);
    // A few more rounds, and not the 240 deliveries that were due first.
    expect(hanging.received.length - before).toBeLessThanOrEqual(60);
  });

  it('serves a small delivery at once beside large backlogs of twelve recipients that are slow', async () => {
    const slow = heldAnswers();
    const busy = await harness.recipient(slow.answer);
    const small = await harness.recipient();
    const { webhooks } = harness.engine({ concurrency: 10 });
    for (let index = 0; index < 12; index++) {
      await webhooks.create({ url: `${busy.url}/${index}`, events: ['busy.*'] });
    }
    await webhooks.create({ url: small.url, events: ['small.*'] });
    for (let n = 0; n < 20; n++) await webhooks.dispatch('busy.event', { n });
    await webhooks.start();
    await expect.poll(slow.open).toBe(10);
    await webhooks.dispatch('small.event', {});
    slow.release();
    await small.receivedCount(1);
    // The second claim had it, with nine of the others.
    await expect.poll(slow.open).toBe(10);
    expect(busy.received).toHaveLength(20);
    while (busy.received.length < 240) {
      const next = busy.received.length + 1;
      slow.release();
      await busy.receivedCount(next);
    }
    await expect.poll(slow.open).toBeGreaterThan(0);
    slow.release();
  });

  it('asks the storage once when nothing is due, and not again for attempts that end', async () => {
    const { counting, limits } = countingClaims(harness.storage);
    const { webhooks } = harness.engine({}, counting);
    const recipients = [heldAnswers(), heldAnswers(), heldAnswers()];
    for (const { answer } of recipients)
      await webhooks.create({ url: (await harness.recipient(answer)).url });
    await webhooks.start();
    await expect.poll(() => limits.length).toBe(1);
    // One each, so that no webhook is at its limit.
    await webhooks.dispatch('user.created', {});
    for (const { open } of recipients) await expect.poll(open).toBe(1);
    const before = limits.length;
    for (const [ended, { release }] of recipients.entries()) {
      release();
      await expect.poll(() => webhooks.health()).toMatchObject({ inFlight: 2 - ended });
    }
    await webhooks.close();
    // The wake-up of the dispatch, where it is still on its way.
    expect(limits.length - before).toBeLessThanOrEqual(1);
  });
});

import { expect, test } from 'vitest';
import { createWebhooks, memoryStorage, type WebhookError } from '../../src/index.ts';
import { startRecipient } from '../engine/recipient.ts';

const BREAKS: readonly (readonly [string, () => number])[] = [
  [
    'throws',
    () => {
      throw new Error('the time server is away');
    },
  ],
  ['gives no time', () => Number.NaN],
];

/** An engine whose clock breaks and is repaired. */
async function engineWithClock(broken: () => number) {
  const errors: (readonly [source: string, error: WebhookError])[] = [];
  const recipient = await startRecipient();
  const clock = { isBroken: false, reads: 0, breaksAt: Number.POSITIVE_INFINITY };
  const webhooks = createWebhooks({
    storage: memoryStorage(),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    retry: { delaysMs: [1] },
    onError: (error, { source }) => void errors.push([source, error]),
    clock: () => {
      clock.reads += 1;
      return clock.isBroken || clock.reads === clock.breaksAt ? broken() : Date.now();
    },
  });
  await webhooks.start();
  await webhooks.create({ url: recipient.url });
  const close = async () => {
    await webhooks.close();
    await recipient.close();
  };
  return { webhooks, errors, recipient, clock, close };
}

test.each(BREAKS)(
  'a clock that %s refuses dispatches, and neither health nor the close',
  async (_, broken) => {
    const { webhooks, errors, clock, close } = await engineWithClock(broken);
    clock.isBroken = true;
    await expect(webhooks.dispatch('order.created', {})).rejects.toMatchObject({ code: 'internal_error' });
    expect(errors.map(([source, { code }]) => [source, code])).toEqual([['dispatch', 'internal_error']]);
    expect(await webhooks.health()).toMatchObject({ lastError: { source: 'dispatch' } });
    await close();
  },
);

test.each(BREAKS)(
  'a clock that %s at any one time loses, repeats and fails no delivery',
  async (_, broken) => {
    // At each of the reads that a dispatch and its delivery take.
    for (let read = 1; read <= 12; read++) {
      const { webhooks, recipient, clock, close } = await engineWithClock(broken);
      clock.breaksAt = clock.reads + read;
      const deliveries = await webhooks.dispatch('order.created', {}).catch(() => undefined);
      await webhooks.drain().catch(() => undefined);
      clock.breaksAt = Number.POSITIVE_INFINITY;
      await webhooks.drain();
      const sent = deliveries === undefined ? 0 : 1;
      expect([read, recipient.received.length, webhooks.stats().succeeded]).toEqual([read, sent, sent]);
      await close();
    }
  },
);

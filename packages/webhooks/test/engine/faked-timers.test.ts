import { describe, expect, test, vi } from 'vitest';
import { createWebhooks, memoryStorage } from '../../src/index.ts';
import { createTestReceiver } from '../../src/testing/index.ts';

/** What Jest fakes by default, but for `nextTick`, which Vitest cannot fake in a child process. */
const ALL = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
  'queueMicrotask',
] as const;

async function receivingEngine() {
  const receiver = await createTestReceiver();
  const webhooks = createWebhooks({
    storage: memoryStorage(),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
  });
  await webhooks.start();
  await webhooks.create({ url: receiver.url });
  return { webhooks, receiver };
}

describe.each([
  ['before the engine is created', true],
  ['after the engine has started', false],
])('timers that a test of the host has faked %s', (_, isEarly) => {
  test.each([
    ['those that Vitest fakes by default', undefined],
    ['those that Jest fakes by default', [...ALL]],
  ])('hold up neither a delivery nor the end of the engine: %s', async (_name, toFake) => {
    const fake = () => vi.useFakeTimers(toFake && { toFake });
    if (isEarly) fake();
    const { webhooks, receiver } = await receivingEngine();
    fake();
    for (let id = 1; id <= 50; id += 1) await webhooks.dispatch('user.created', { id });
    await webhooks.drain();
    expect(receiver.requests).toHaveLength(50);
    receiver.respond({ status: 503, delayMs: 20 }).times(1);
    await webhooks.dispatch('user.created', { id: 51 });
    await webhooks.drain();
    vi.setSystemTime(Date.now() + 120_000);
    await webhooks.drain();
    expect(receiver.requests.slice(50).map(({ attempt }) => attempt)).toEqual([1, 2]);
    await webhooks.close();
    await receiver.close();
  });
});

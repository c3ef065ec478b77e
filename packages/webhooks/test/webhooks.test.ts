import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../toolkit/test/in-one-test.ts';
import { BUILT_IN_EVENTS } from '../src/events/catalog.ts';
import { inProcessQueue } from '../src/queue/in-process-queue.ts';
import { memoryStorage } from '../src/storage/memory-storage.ts';
import { VERSION } from '../src/version.ts';
import { createWebhooks } from '../src/webhooks.ts';
import { readOptions } from '../src/webhooks-options.ts';

describe('createWebhooks', () => {
  inOneTest([
    [{ concurrency: 0 }, /concurrency .* 1 to 1000, not 0/],
    [{ concurrency: 1_001 }, /concurrency/],
    [{ maxConcurrentPerWebhook: 0 }, /maxConcurrentPerWebhook .* 1 to 1000, not 0/],
    [{ maxConcurrentPerWebhook: 1_001 }, /maxConcurrentPerWebhook/],
    [{ disableOnGone: 1 }, /disableOnGone must be true or false/],
    [{ disableAfterFailingMs: -1 }, /disableAfterFailingMs .* 0 to 2592000000, not -1/],
    [{ disableAfterFailingMs: 2_592_000_001 }, /disableAfterFailingMs/],
    [{ onAttempt: true }, /onAttempt must be a function/],
    [{ onWebhookDisabled: 'x' }, /onWebhookDisabled must be a function/],
    [{ sweepIntervalMs: 99 }, /sweepIntervalMs/],
    [{ retentionDays: 0 }, /retentionDays/],
    [{ retry: { maxAttempts: 0 } }, /retry\.maxAttempts/],
    [{ egress: { timeoutMs: 0 } }, /timeoutMs/],
    [{ egress: { allowedAddresses: ['127.0.0.1/33'] } }, /allowedAddresses/],
    [{ clock: 5 }, /clock must be a function/],
    [{ concurency: 5 }, /unknown option "concurency"/],
    [{ storage: undefined }, /storage must be an object with the methods of WebhookStorage: /],
    [{ queue: { enqueue() {} } }, /queue lacks the methods start, stop of DeliveryQueue/],
    [{ logger: console.log }, /logger/],
    [{ standardHeaders: 'no' }, /standardHeaders/],
    [{ builtInEvents: BUILT_IN_EVENTS }, /builtInEvents .* names, not entries/],
    [{ builtInEvents: 'user.created' }, /builtInEvents must be true, false or a list .* not "user.created"/],
    [{ builtInEvents: null }, /builtInEvents .* not a value of type object/],
    [{ builtInEvents: ['user.created', 'user.creatd'] }, /builtInEvents .* not "user.creatd"/],
    [{ builtInEvents: [undefined] }, /builtInEvents/],
    [{ retry: null }, /retry takes an object of options, not null/],
    [{ events: [] }, /events must be an object/],
    [{ events: { order: { label: 'x' } } }, /events: "order"/],
    [{ storage: {} }, /storage lacks the methods createWebhook, .*, purgeIdempotencyKeys of WebhookStorage$/],
  ])('refuses %j, naming the option', (options, message) => {
    const create = createWebhooks as (options: object) => unknown;
    expect(() => create({ storage: memoryStorage(), ...options })).toThrow(TypeError);
    expect(() => create({ storage: memoryStorage(), ...options })).toThrow(message);
  });

  it('refuses a queue that another engine has, and one that an engine had; a refused option takes none', () => {
    const queue = inProcessQueue();
    const create = (options: object = {}) => createWebhooks({ storage: memoryStorage(), queue, ...options });
    expect(() => create({ concurrency: 0 })).toThrow('concurrency');
    expect(() => create({ egress: { timeoutMs: 0 } })).toThrow('timeoutMs');
    const first = create();
    expect(() => create()).toThrow(TypeError);
    expect(() => create()).toThrow('queue serves another engine');
    return first.close().then(() => expect(() => create()).toThrow('queue serves another engine'));
  });

  it("names every known event, the host's own included", () => {
    const webhooks = createWebhooks({
      storage: memoryStorage(),
      events: { 'order.created': { label: 'Order placed' } },
    });
    expect(webhooks.events).toHaveLength(17);
    expect(webhooks.events.at(-2)).toEqual({ name: 'order.created', label: 'Order placed' });
  });

  it('starts and closes once, however often it is asked', async () => {
    const webhooks = createWebhooks({ storage: memoryStorage() });
    await Promise.all([webhooks.start(), webhooks.start()]);
    await Promise.all([webhooks.close(), webhooks.close()]);
  });

  it('calls itself by the version of its package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(VERSION).toBe(version);
  });
});

describe('the defaults', () => {
  const storage = memoryStorage();

  it('heal outages and deactivate what has failed for five days where there are customers', () => {
    const given = { recoverAfterOutage: false, disableAfterFailingMs: 0 };
    expect(readOptions({ storage })).toMatchObject(given);
    expect(readOptions({ storage, tenants: 'required' })).toMatchObject({
      recoverAfterOutage: true,
      disableAfterFailingMs: 5 * 86_400_000,
    });
    expect(readOptions({ storage, tenants: 'required', ...given })).toMatchObject(given);
  });
});

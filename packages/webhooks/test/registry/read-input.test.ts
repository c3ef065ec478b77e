import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';

const URL_OK = 'http://127.0.0.1:9999/hook';

/** An engine with one webhook. */
async function engine() {
  const webhooks = createWebhooks({
    storage: memoryStorage(),
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    clock: () => Date.parse('2026-11-20T12:00:00.000Z'),
  });
  const webhook = await webhooks.create({ url: URL_OK, events: ['user.*'] });
  return { webhooks, webhook };
}

describe('an input that its caller changes after the call', () => {
  it('is registered as it was at the very first call', async () => {
    const webhooks = createWebhooks({
      storage: memoryStorage(),
      egress: { allowedAddresses: ['127.0.0.1/32'] },
    });
    const input = { url: URL_OK, events: ['user.*'], description: 'before' };
    const created = webhooks.create(input);
    input.url = 'http://10.0.0.1/';
    input.description = 'after';
    input.events.push('order.*');
    expect(await created).toMatchObject({ url: URL_OK, description: 'before', events: ['user.*'] });
  });

  it('changes a webhook, and makes its condition, as it was at the call', async () => {
    const { webhooks, webhook } = await engine();
    const change = { description: 'before', events: ['order.*'] };
    const condition = { expectedUpdatedAt: webhook.updatedAt };
    const updated = webhooks.update(webhook.id, change, condition);
    change.description = 'after';
    change.events.length = 0;
    condition.expectedUpdatedAt = 'never';
    expect(await updated).toMatchObject({ description: 'before', events: ['order.*'] });
  });

  it('is the condition of a rotation and of a removal as it was at the call', async () => {
    const { webhooks, webhook } = await engine();
    const condition = { expectedUpdatedAt: webhook.updatedAt };
    const rotated = webhooks.rotateSecret(webhook.id, condition);
    condition.expectedUpdatedAt = 'never';
    condition.expectedUpdatedAt = (await rotated).updatedAt;
    const deleted = webhooks.delete(webhook.id, condition);
    condition.expectedUpdatedAt = 'never';
    await deleted;
    expect(await webhooks.list()).toMatchObject({ total: 0 });
  });

  it('asks for what it said at the call, by the dates that it named', async () => {
    const { webhooks, webhook } = await engine();
    const range = { interval: 'day' as 'day' | 'hour', from: new Date('2026-11-18T00:00:00Z') };
    const activity = webhooks.activity(webhook.id, range);
    range.interval = 'hour';
    range.from.setUTCFullYear(1999);
    expect(await activity).toMatchObject({ interval: 'day', from: '2026-11-18T00:00:00.000Z' });

    const page = { limit: 7 };
    const listed = [webhooks.list(page), webhooks.explain('user.created', page)];
    page.limit = 8;
    expect(await Promise.all(listed)).toMatchObject([{ limit: 7 }, { limit: 7 }]);

    const recovery = { since: new Date('2026-11-18T00:00:00Z'), dryRun: true };
    const recovered = webhooks.recover(recovery);
    recovery.since.setTime(Number.NaN);
    recovery.dryRun = false;
    expect(await recovered).toEqual({ deliveries: 0, nextCursor: null, dryRun: true });
  });

  it('is refused as it was at the call', async () => {
    const { webhooks } = await engine();
    const input = { url: 7, more: true };
    // @ts-expect-error what JavaScript may pass
    const refused = webhooks.create(input);
    Object.assign(input, { url: URL_OK });
    await expect(refused).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'url' }, { field: 'more', code: 'unknown_field' }],
    });
  });
});

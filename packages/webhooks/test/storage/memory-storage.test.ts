import { expect, test } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';

const CREATED_AT = '2026-11-20T04:10:00.123Z';

async function withDelivery() {
  const storage = memoryStorage();
  const webhook = await storage.createWebhook({
    url: 'https://a.example/',
    secret: 'whsec_abc',
    description: '',
    events: ['*'],
    isActive: true,
    createdBy: 0,
    createdByUid: null,
    createdAt: CREATED_AT,
  });
  const dispatch = { event: 'a.b', payload: '{}', createdAt: CREATED_AT, target: { patterns: ['*'] } };
  await storage.recordDispatches([dispatch]);
  return { storage, webhook, dispatch };
}

test('keeps each storage to itself', async () => {
  const { webhook } = await withDelivery();
  expect(await memoryStorage().findWebhook(webhook.id)).toBeUndefined();
});

test('refuses a transaction, which it could not keep', async () => {
  const { storage, dispatch } = await withDelivery();
  const untyped: WebhookStorage<object> = storage;
  await expect(untyped.recordDispatches([dispatch], {})).rejects.toMatchObject({ code: 'invalid_options' });
});

import { expect, test } from 'vitest';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { chooseEvenly } from '../../src/testing/storage-contract/choose-evenly.ts';

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
  await expect(untyped.recordDispatches([dispatch], {})).rejects.toMatchObject({
    code: 'invalid_options',
  });
});

test('keeps its own copy of what it is given and gives', async () => {
  const { storage, webhook } = await withDelivery();
  const request = {
    now: Date.parse(CREATED_AT),
    limit: 1,
    leaseMs: 1_000,
    maxAttempts: 4,
    claimToken: 't',
    isFromStart: true,
    choose: chooseEvenly(1),
  };
  const [claim] = await storage.claimDueDeliveries(request);
  const entry = {
    attempt: 1,
    startedAt: CREATED_AT,
    durationMs: 1,
    statusCode: 200,
    error: '',
    responseBody: '',
  };
  const attemptLog = [entry];
  await storage.recordAttempts([
    {
      id: claim?.id ?? 0,
      claimToken: 't',
      status: 'success',
      statusCode: 200,
      responseBody: '',
      error: '',
      attemptLog,
      activation: 0,
      now: request.now,
      retryInMs: 0,
    },
  ]);
  attemptLog.push(entry);
  entry.error = 'changed by the caller';
  const search = { webhookId: webhook.id, withContent: true, limit: 1, maxScanned: 10 };
  const find = async () => (await storage.findDeliveries(search)).deliveries[0]?.content;
  const found = await find();
  expect(found?.attemptLog).toMatchObject([{ error: '' }]);
  (found?.attemptLog as unknown[]).length = 0;
  expect((await find())?.attemptLog).toHaveLength(1);
});

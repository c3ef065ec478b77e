import { describe, expect, test } from 'vitest';
import type { ClaimRequest } from '../../src/storage/delivery-requests.ts';
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
    maxPerWebhook: 1,
    inFlight: new Map(),
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

describe('the scan of a claim', () => {
  /**
   * Webhooks 1 to 5 with three deliveries each; answers the webhooks of the deliveries that a claim
   * takes.
   */
  async function withFiveWebhooks() {
    const storage = memoryStorage();
    for (let i = 0; i < 5; i++) {
      await storage.createWebhook({
        url: 'https://a.example/',
        secret: 'whsec_abc',
        description: '',
        events: ['*'],
        isActive: true,
        createdBy: 0,
        createdByUid: null,
        createdAt: CREATED_AT,
      });
    }
    const dispatch = { event: 'a.b', payload: '{}', createdAt: CREATED_AT, target: { patterns: ['*'] } };
    await storage.recordDispatches([dispatch, dispatch, dispatch]);
    return async (limit: number, fields: Partial<ClaimRequest> = {}) => {
      const claims = await storage.claimDueDeliveries({
        now: Date.parse(CREATED_AT),
        limit,
        leaseMs: 1_000,
        maxAttempts: 4,
        claimToken: 't',
        maxPerWebhook: 3,
        inFlight: new Map(),
        ...fields,
      });
      return claims.map(({ webhook }) => webhook.id).sort();
    };
  }

  test('begins after the webhook at which the last claim ended, and goes round', async () => {
    const claim = await withFiveWebhooks();
    expect([await claim(2), await claim(2), await claim(2)]).toEqual([
      [1, 2],
      [3, 4],
      [1, 5],
    ]);
  });

  test('ends at the last webhook that got a slot', async () => {
    const claim = await withFiveWebhooks();
    const inFlight = new Map([2, 3, 4, 5].map((id) => [id, 1]));
    expect(await claim(3, { inFlight })).toEqual([1, 1, 2]);
    expect(await claim(1)).toEqual([3]);
  });

  test('ends at the last webhook served where none had nothing in flight', async () => {
    const claim = await withFiveWebhooks();
    const inFlight = new Map([1, 2, 3, 4, 5].map((id) => [id, 1]));
    expect([await claim(2, { inFlight }), await claim(2, { inFlight })]).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('does not move for suspects', async () => {
    const claim = await withFiveWebhooks();
    const suspects = new Set([4]);
    expect(await claim(2, { suspects })).toEqual([1, 4]);
    expect(await claim(1, { suspects, suspectSlots: 0 })).toEqual([2]);
    expect(await claim(1, { suspects: new Set([5]) })).toEqual([5]);
    expect(await claim(1)).toEqual([3]);
  });

  test('does not move where everything that is due fits', async () => {
    const claim = await withFiveWebhooks();
    await claim(2);
    const limits = new Map([1, 2, 4, 5].map((id) => [id, 0]));
    expect(await claim(100, { maxPerWebhook: 1, webhookLimits: limits })).toEqual([3]);
    expect(await claim(1)).toEqual([3]);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { chooseEvenly } from '../../contract/storage/choose-evenly.ts';
import type { DeliveryStatus } from '../../src/storage/delivery-record.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { startAdmin } from '../admin/admin-harness.ts';

const URL_OK = 'http://127.0.0.1:9999/hook';

/** An engine that never sends, its API, and a way to end what is pending. */
async function harness(disableAfterFailingMs = 0) {
  const time = { now: Date.parse('2026-11-20T12:34:56.789Z') };
  const storage = memoryStorage();
  const webhooks = createWebhooks({
    storage,
    egress: { allowedAddresses: ['127.0.0.1/32'] },
    clock: () => time.now,
    disableAfterFailingMs,
  });
  const { id } = await webhooks.create({ url: URL_OK });
  const end = async (status: DeliveryStatus) => {
    await webhooks.dispatch('user.created', {});
    time.now += 1_000;
    const claimToken = randomUUID();
    const claim = { now: time.now, limit: 100, leaseMs: 1_000, maxAttempts: 4, claimToken };
    const claims = await storage.claimDueDeliveries({
      ...claim,
      isFromStart: true,
      choose: chooseEvenly(100),
    });
    const answer = { statusCode: 0, responseBody: '', error: '', attemptLog: [], retryInMs: 0 };
    await storage.recordAttempts(
      claims.map(({ id, webhook: { activation } }) => ({
        id,
        claimToken,
        status,
        activation,
        now: time.now,
        ...answer,
      })),
      RESULT_RULES,
    );
  };
  return { id, end, time, ...startAdmin({ webhooks }) };
}

describe('the health of a webhook', () => {
  it('is unknown before a delivery has ended', async () => {
    const { webhooks, id } = await harness();
    const health = {
      success: 0,
      failed: 0,
      successRate: null,
      level: 'healthy',
      downSince: null,
      busySince: null,
      isRecovering: false,
      lastSuccessAt: null,
      lastFailureAt: null,
    };
    expect(await webhooks.get(id)).toMatchObject({ health, disablesAt: null, concurrency: null });
    expect((await webhooks.list()).webhooks).toMatchObject([{ health }]);
  });

  it('is the share of successes of the last 24 hours, and since when nothing succeeded', async () => {
    const { webhooks, id, end, time, call } = await harness(432_000_000);
    await end('failed');
    time.now += 25 * 3_600_000;
    for (const status of ['success', 'success', 'success', 'failed'] as const) await end(status);
    const { health, disablesAt } = await webhooks.get(id);
    expect(health).toEqual({
      success: 3,
      failed: 1,
      successRate: 0.75,
      level: 'degraded',
      downSince: null,
      busySince: null,
      isRecovering: false,
      lastSuccessAt: '2026-11-21T13:35:00.789Z',
      lastFailureAt: '2026-11-21T13:35:01.789Z',
    });
    expect(disablesAt).toBeNull();
    const { json } = await call('GET', '?health=degraded&sort=level');
    expect(json).toMatchObject({
      total: 1,
      webhooks: [{ id, health: { success_rate: 0.75, level: 'degraded' } }],
    });
    expect((await call('GET', '/1')).json).toMatchObject({
      health: json.webhooks[0].health,
      disables_at: null,
      concurrency: null,
    });
    expect((await call('GET', '?health=healthy')).json).toMatchObject({ total: 0 });
    await end('failed');
    await end('failed');
    expect((await call('GET', '?health=down')).json.webhooks).toMatchObject([{ health: { level: 'down' } }]);
    expect((await call('GET', '/1')).json).toMatchObject({
      health: { down_since: '2026-11-21T13:35:01.789Z' },
      disables_at: '2026-11-26T13:35:01.789Z',
    });
  });
});

describe('the version of what is shown', () => {
  it('changes with webhooks and with their deliveries, and not without a change', async () => {
    const { id, end, call } = await harness();
    const version = async () => (await call('GET', `/changes?webhooks=${id},77`)).json.version;
    const seen = [await version()];
    expect(await version()).toBe(seen[0]);
    await end('failed');
    seen.push(await version());
    await call('PUT', `/${id}`, { body: { description: 'new' } });
    seen.push(await version());
    await call('DELETE', `/${id}`);
    seen.push(await version());
    expect(new Set(seen).size).toBe(seen.length);
  });

  inOneTest(['0', 'x', '1,', ' 1', '01', '', Array.from({ length: 101 }, (_, i) => i + 1).join()])(
    'is refused for the list of webhooks "%s"',
    async (webhooks) => {
      const { call } = await harness();
      const { status, json } = await call('GET', `/changes?webhooks=${webhooks}`);
      expect([status, json.errors[0].field]).toEqual([422, 'webhooks']);
    },
  );
});

describe('the end of a previous secret', () => {
  it('keeps the present secret, shows none, and is refused where nothing is to be ended', async () => {
    const { call, time } = await harness();
    const endPrevious = (headers = {}) =>
      call('POST', '/1/rotate-secret', { body: { end_previous: true }, headers });
    expect((await endPrevious()).json).toMatchObject({ status: 409, code: 'no_previous_secret' });
    const rotated = await call('POST', '/1/rotate-secret');
    expect(rotated.json.secret).toMatch(/^whsec_/);
    expect((await endPrevious({ 'if-match': '"2000-01-01T00:00:00.000Z"' })).status).toBe(412);
    time.now += 1_000;
    const { json, status } = await endPrevious();
    expect(status).toBe(200);
    expect(json).toMatchObject({ previous_secret_expires_at: null, updated_at: '2026-11-20T12:34:57.789Z' });
    expect(json).not.toHaveProperty('secret');
    expect((await endPrevious()).status).toBe(409);
    await call('POST', '/1/rotate-secret', { body: { end_previous: false } });
    time.now += 86_400_000;
    expect((await endPrevious()).status).toBe(409);
    expect((await call('POST', '/1/rotate-secret', { body: { end: true } })).status).toBe(422);
  });
});

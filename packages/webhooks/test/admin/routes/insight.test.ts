import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import { defineEvents } from '../../../src/events/index.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../../src/webhooks.ts';
import { HOOK_URL, startAdmin } from '../admin-harness.ts';

/** The API over an engine whose clock a test sets. */
async function startAt(time: string) {
  let now = Date.parse(time);
  const webhooks = createWebhooks({
    storage: memoryStorage(),
    clock: () => now,
    egress: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
  });
  const { call } = startAdmin({ webhooks });
  await call('POST', '', { body: { url: HOOK_URL } });
  return {
    call,
    webhooks,
    setTime: (text: string) => {
      now = Date.parse(text);
    },
  };
}

describe('activity', () => {
  it('answers every hour of a range, those without a delivery included', async () => {
    const { call, setTime, webhooks } = await startAt('2026-11-20T04:10:00Z');
    await webhooks.dispatch('user.created', {});
    await webhooks.dispatch('user.created', {});
    setTime('2026-11-20T06:59:59.999Z');
    await webhooks.dispatch('user.created', {});
    const query = 'interval=hour&from=2026-11-20T04:00:00Z&to=2026-11-20T08:00:00%2B01:00';
    const { status, json } = await call('GET', `/1/activity?${query}`);
    expect(status).toBe(200);
    expect(json).toStrictEqual({
      interval: 'hour',
      from: '2026-11-20T04:00:00.000Z',
      to: '2026-11-20T07:00:00.000Z',
      activity: [
        { start: '2026-11-20T04:00:00.000Z', success: 0, failed: 0, pending: 2 },
        { start: '2026-11-20T05:00:00.000Z', success: 0, failed: 0, pending: 0 },
        { start: '2026-11-20T06:00:00.000Z', success: 0, failed: 0, pending: 1 },
      ],
      answers: { attempts: 0, since: null, median_ms: null, p95_ms: null },
    });
  });

  it('adds up those of all webhooks, of a customer, and of the application itself', async () => {
    const events = defineEvents({ 'order.paid': { label: 'Paid', audience: 'tenant' } });
    const resolve = async () => [{ address: '93.184.216.34', family: 4 as const }];
    const webhooks = createWebhooks({ storage: memoryStorage(), events, egress: { resolve } });
    for (const tenant of ['acme', 'acme', null]) await webhooks.create({ url: HOOK_URL, tenant });
    await webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
    const { call } = startAdmin({ webhooks });
    const pending = async (query: string) => {
      const { status, json } = await call('GET', `/activity?interval=day${query}`);
      expect([status, json.activity.length, 'answers' in json]).toEqual([200, 30, false]);
      return json.activity.reduce((sum: number, day: { pending: number }) => sum + day.pending, 0);
    };
    expect([await pending(''), await pending('&tenant=acme'), await pending('&tenant=')]).toEqual([3, 2, 1]);
    expect(await pending('&tenant=globex')).toBe(0);
    expect((await call('GET', '/activity?from=yesterday')).status).toBe(422);
    const acme = await webhooks.forTenant('acme').activityOfAll({ interval: 'hour' });
    expect(acme.activity.reduce((sum, hour) => sum + hour.pending, 0)).toBe(2);
  });

  inOneTest([
    ['?interval=week', 'interval'],
    ['?interval=', 'interval'],
    ['?from=yesterday', 'from'],
    ['?from=', 'from'],
    ['?from=2026-11-20', 'from'],
    ['?from=2998-01-01T00:00:00Z', 'from'],
    ['?from=1990-01-01T00:00:00Z', 'from'],
    ['?interval=hour&from=2026-09-20T00:00:00Z', 'from'],
    ['?to=never', 'to'],
    ['?from=2026-11-20T00:00:00Z&to=2026-11-19T00:00:00Z', 'to'],
    ['?from=2026-11-20T00:00:00Z&from=2026-11-20T00:00:00Z', 'from'],
    ['?since=2026-11-20T00:00:00Z', 'since'],
  ])('is 422 for %s', async (query, field) => {
    const { call } = await startAt('2026-11-20T04:10:00Z');
    expect(await call('GET', `/1/activity${query}`)).toMatchObject({
      status: 422,
      json: { code: 'validation_failed', errors: [{ field }] },
    });
  });

  it('is 404 for a webhook that is not there', async () => {
    const { call } = startAdmin();
    expect(await call('GET', '/1/activity')).toMatchObject({
      status: 404,
      json: { code: 'webhook_not_found' },
    });
  });
});

describe('explain', () => {
  it('says of each webhook whether it would receive an event, and why', async () => {
    const { call } = startAdmin();
    const patterns = [['user.*', '*', 'role.created'], ['role.*'], ['*']];
    for (const [n, events] of patterns.entries()) {
      await call('POST', '', { body: { url: HOOK_URL, events, is_active: n < 2 } });
    }
    const { status, json } = await call('GET', '/explain?event=user.created');
    expect(status).toBe(200);
    const one = (id: number, rest: object) => ({ id, url: HOOK_URL, name: '', ...rest });
    expect(json).toStrictEqual({
      event: 'user.created',
      known: true,
      webhooks: [
        one(1, {
          is_active: true,
          receives: true,
          reason: 'subscribed',
          events: patterns[0],
          matched_patterns: ['user.*', '*'],
        }),
        one(2, {
          is_active: true,
          receives: false,
          reason: 'no_matching_pattern',
          events: patterns[1],
          matched_patterns: [],
        }),
        one(3, {
          is_active: false,
          receives: false,
          reason: 'inactive',
          events: patterns[2],
          matched_patterns: ['*'],
        }),
      ],
      total: 3,
      limit: 50,
      offset: 0,
    });
    const page = (await call('GET', '/explain?event=order.unknown&limit=1&offset=1')).json;
    expect(page).toMatchObject({ known: false, webhooks: [{ id: 2 }], total: 3, limit: 1, offset: 1 });
  });

  inOneTest([
    ['', 'event'],
    ['?event=', 'event'],
    ['?event=user', 'event'],
    ['?event=user.*', 'event'],
    ['?event=*', 'event'],
    ['?event=a%00.b', 'event'],
    [`?event=a.${'b'.repeat(127)}`, 'event'],
    ['?event=user.created&event=user.created', 'event'],
    ['?event=user.created&limit=0', 'limit'],
    ['?event=user.created&offset=-1', 'offset'],
    ['?event=user.created&webhook_id=1', 'webhook_id'],
  ])('is 422 for %j', async (query, field) => {
    const { call } = startAdmin();
    expect(await call('GET', `/explain${query}`)).toMatchObject({
      status: 422,
      json: { code: 'validation_failed', errors: [{ field }] },
    });
  });
});

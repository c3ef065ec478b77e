import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AuditEvent } from '../../src/admin/audit.ts';
import { routesFor } from '../../src/admin/routes/routes.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, startAdmin } from '../admin/admin-harness.ts';
import { failPending } from '../admin/fail-pending.ts';
import { everyRequest } from '../admin/routes/every-request.ts';
import { engineOn, HOOK_URL, READER, startPortal, USER } from './portal-harness.ts';

const NOW = Date.parse('2026-11-20T04:10:00.123Z');

async function startWithWebhook(options: Parameters<typeof startPortal>[0] = {}) {
  const started = startPortal(options);
  const { json } = await started.call('POST', '', { body: { url: HOOK_URL, events: ['order.*'] } });
  const dispatch = async () => {
    await started.webhooks.dispatch('order.paid', { total: 1 }, { tenant: 'acme' });
    const [delivery] = (await started.webhooks.deliveries(json.id)).deliveries;
    return delivery?.deliveryId ?? '';
  };
  return { ...started, created: json, id: json.id as number, dispatch };
}

describe('a customer', () => {
  it('has webhooks of its own, as the application and administrators see them', async () => {
    const { call, created, id, webhooks } = await startWithWebhook();
    expect(created).toMatchObject({ id: 1, url: HOOK_URL, secret: expect.stringMatching(/^whsec_/) });
    expect(await webhooks.get(id)).toMatchObject({ tenant: 'acme', createdByUid: USER.uid });
    const seen = await startAdmin({ webhooks }).call('GET', `/${id}`);
    expect(seen.json).toMatchObject({ tenant: 'acme', created_by_uid: USER.uid });
    const globex = { actor: { ...USER, tenant: 'globex' } };
    expect((await call('GET', '', globex)).json).toMatchObject({ webhooks: [], total: 0 });
    expect((await call('GET', `/${id}`, globex)).json.code).toBe('webhook_not_found');
    expect((await call('GET', '')).json).toMatchObject({ webhooks: [{ id }], total: 1 });
  });

  it('is another user for its pages than any of another customer, by a text that says no more', async () => {
    const { call, id } = await startWithWebhook();
    const tagOf = async (actor: object, path = '') =>
      (await call('GET', path, { actor: { ...USER, ...actor } })).headers.get('webhooks-user');
    const tag = await tagOf({});
    expect(tag).toMatch(/^[\w-]{16}$/);
    expect(await tagOf({ scopes: READER.scopes }, `/${id}`)).toBe(tag);
    expect(await tagOf({}, '/404')).toBe(tag);
    const others = [await tagOf({ tenant: 'globex' }), await tagOf({ uid: 'another' })];
    expect(new Set([tag, ...others]).size).toBe(3);
    expect((await call('GET', '', { actor: null })).headers.has('webhooks-user')).toBe(false);
  });

  it('has a change refused that was meant for another user', async () => {
    const { call, id, webhooks } = await startWithWebhook();
    const headers = { 'Webhooks-User': (await call('GET', '')).headers.get('webhooks-user') ?? '' };
    const actor = { ...USER, uid: 'another' };
    const body = { name: 'Billing' };
    const refused = await call('PUT', `/${id}`, { actor, headers, body });
    expect(refused).toMatchObject({ status: 409, json: { code: 'other_user' } });
    expect(refused.headers.get('webhooks-user')).not.toBe(headers['Webhooks-User']);
    expect((await webhooks.get(id)).name).toBe('');
    expect((await call('GET', `/${id}`, { actor, headers })).status).toBe(200);
    expect((await call('PUT', `/${id}`, { headers, body })).status).toBe(200);
  });

  it('is told nothing that is for administrators', async () => {
    const { call, id, dispatch, webhooks } = await startWithWebhook();
    const deliveryId = await dispatch();
    const list = (await call('GET', '')).json.webhooks[0];
    const detail = (await call('GET', `/${id}`)).json;
    const updated = (await call('PUT', `/${id}`, { body: { description: 'x' } })).json;
    const rotated = (await call('POST', `/${id}/rotate-secret`)).json;
    for (const shown of [list, detail, updated, rotated]) {
      expect(shown).not.toHaveProperty('tenant');
      expect(shown).not.toHaveProperty('concurrency');
      expect(Object.keys(shown).filter((name) => name.startsWith('created_by'))).toEqual([]);
    }
    const [found] = (await call('GET', '/deliveries')).json.deliveries;
    const [listed] = (await call('GET', `/${id}/deliveries`)).json.deliveries;
    const delivery = (await call('GET', `/${id}/deliveries/${deliveryId}`)).json;
    for (const shown of [found, listed, delivery]) {
      expect(shown).toMatchObject({ delivery_id: deliveryId, event: 'order.paid' });
      expect(shown).not.toHaveProperty('id');
    }
    // Administrators are told as before.
    const { call: admin } = startAdmin({ webhooks });
    expect(Object.keys((await admin('GET', `/${id}`)).json)).toEqual(
      expect.arrayContaining(['tenant', 'created_by', 'created_by_uid', 'created_by_name', 'concurrency']),
    );
  });

  it.each([
    ['GET', '?tenant=globex', undefined],
    ['GET', '?tenant=', undefined],
    ['GET', `?tenant=${'x'.repeat(65)}`, undefined],
    ['POST', '', { url: HOOK_URL, tenant: 'globex' }],
    ['PUT', '/1', { tenant: 'globex' }],
  ] as const)('names no tenant: %s %s is a field that there is not', async (method, path, body) => {
    const { call } = await startWithWebhook();
    const wrong = (text: string | undefined) => text?.replaceAll('tenant', 'tenont') ?? '';
    const named = await call(method, path, body ? { body } : {});
    const misspelt = await call(
      method,
      wrong(path),
      body ? { body: JSON.parse(wrong(JSON.stringify(body))) } : {},
    );
    expect(named.status).toBe(422);
    expect(named.json.errors).toMatchObject([{ field: 'tenant', code: 'unknown_field' }]);
    expect(wrong(named.text)).toBe(misspelt.text);
  });

  it('sees the events for customers alone, and why one does not arrive', async () => {
    const { call } = await startWithWebhook();
    expect((await call('GET', '/events')).json.events.map(({ name }: { name: string }) => name)).toEqual([
      'order.paid',
      'webhook.test',
    ]);
    expect((await call('GET', '/events/order.paid')).json).toMatchObject({ total: 1, example: { total: 1 } });
    expect((await call('GET', '/events/fraud.found')).json.code).toBe('event_not_found');
    const reasons = async (event: string) => (await call('GET', `/explain?event=${event}`)).json;
    expect(await reasons('order.paid')).toMatchObject({ known: true, webhooks: [{ reason: 'subscribed' }] });
    for (const event of ['fraud.found', 'no.such']) {
      expect(await reasons(event)).toMatchObject({ known: false, webhooks: [{ reason: 'not_for_tenants' }] });
    }
  });

  it('pages, polls, and changes what it has read', async () => {
    const { call, id, dispatch } = await startWithWebhook();
    const { version } = (await call('GET', `/changes?webhooks=${id}`)).json;
    for (let n = 0; n < 3; n += 1) await dispatch();
    expect((await call('GET', `/changes?webhooks=${id}`)).json.version).not.toBe(version);
    for (const path of [`/${id}/deliveries`, '/deliveries']) {
      const first = (await call('GET', `${path}?limit=2`)).json;
      const second = (await call('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).json;
      const ids = [...first.deliveries, ...second.deliveries].map((delivery) => delivery.delivery_id);
      expect([new Set(ids).size, second.next_cursor]).toEqual([3, null]);
    }
    const { activity } = (await call('GET', `/${id}/activity?interval=hour`)).json;
    expect(activity.at(-1).pending + activity.at(-2).pending).toBe(3);
    const { headers } = await call('GET', `/${id}`);
    const put = (etag: string) =>
      call('PUT', `/${id}`, { body: { description: 'x' }, headers: { 'if-match': etag } });
    const etag = headers.get('etag') ?? '';
    expect((await put(etag)).status).toBe(200);
    expect((await put(etag)).json.code).toBe('precondition_failed');
  });

  it('sends its tests and redeliveries as often as it may, a selection once', async () => {
    const storage = memoryStorage();
    const webhooks = engineOn(storage, { clock: () => NOW, maxTenantCallsPerMinute: 3 });
    const { call, id, dispatch } = await startWithWebhook({ storage, webhooks });
    const deliveries = [await dispatch(), await dispatch()];
    await failPending(storage, 10, NOW + 1_000);
    const many = () => call('POST', '/deliveries/redeliver', { body: { deliveries } });
    expect((await many()).json).toMatchObject({ done: 2 });
    expect((await call('POST', `/${id}/test`)).status).toBe(202);
    expect((await many()).json).toMatchObject({ done: 0, results: [{ outcome: 'delivery_pending' }, {}] });
    for (const [path, body] of [
      [`/${id}/test`, undefined],
      [`/${id}/deliveries/${deliveries[0]}/redeliver`, undefined],
      [`/${id}/recover`, { since: '2026-01-01T00:00:00Z' }],
      ['/deliveries/redeliver', { deliveries }],
    ] as const) {
      const { status, json, headers } = await call('POST', path, body ? { body } : {});
      expect([status, json.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '60']);
    }
    const globex = { ...USER, tenant: 'globex' };
    const { json } = await call('POST', '', { body: { url: HOOK_URL }, actor: globex });
    expect((await call('POST', `/${json.id}/test`, { actor: globex })).status).toBe(202);
    expect((await startAdmin({ webhooks }).call('POST', `/${id}/test`)).status).toBe(202);
  });

  it('has as many webhooks as it may, at public addresses, and learns nothing of the network', async () => {
    const { call } = startPortal({ webhooks: engineOn(memoryStorage(), { maxWebhooksPerTenant: 1 }) });
    const create = (url: string) => call('POST', '', { body: { url } });
    for (const url of [
      'https://127.0.0.1/',
      'https://localhost/',
      'http://hooks.example.com/',
      'https://10.0.0.7/',
    ]) {
      const { status, text } = await create(url);
      expect(status).toBe(422);
      expect(text).not.toMatch(/egress|allowed[A-Z]|127\.0\.0\.1|10\.0/);
    }
    expect((await create(HOOK_URL)).status).toBe(201);
    expect((await create(HOOK_URL)).json).toMatchObject({ status: 422, code: 'too_many_webhooks' });
  });
});

describe('the portal API', () => {
  it('tells the audit who changed what for which customer', async () => {
    const events: AuditEvent[] = [];
    const onAudit = (event: AuditEvent) => void events.push(event);
    const { call, dispatch, storage, webhooks } = startPortalOf(onAudit);
    await webhooks.forTenant('acme').create({ url: HOOK_URL });
    const deliveryId = await dispatch();
    for (const { name, method, path, body } of everyRequest(deliveryId, 'customers')) {
      await failPending(storage, 10);
      if (name === 'recover') await dispatch();
      await failPending(storage, 10);
      await webhooks.update(1, { isActive: name !== 'changeWebhooks' });
      const { status } = await call(method, path.replace('user.created', 'order.paid'), body ? { body } : {});
      expect([name, status < 300]).toEqual([name, true]);
      const actor = { uid: USER.uid, scopes: USER.scopes };
      const told = events.splice(0);
      expect([name, told.length]).toEqual([name, method === 'GET' ? 0 : 1]);
      for (const event of told) {
        expect(event).toMatchObject({ actor, tenant: 'acme', at: '2026-11-20T04:10:00.123Z' });
        expect(Object.keys(event.actor)).toEqual(['uid', 'scopes']);
      }
    }
  });

  function startPortalOf(onAudit: (event: AuditEvent) => void) {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    onTestFinished(() => void vi.useRealTimers());
    const started = startPortal({ onAudit });
    const dispatch = async () => {
      await started.webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
      return (await started.webhooks.deliveries(1)).deliveries[0]?.deliveryId ?? '';
    };
    return { ...started, dispatch };
  }

  it('reads and changes nothing where it is read-only', async () => {
    const { call, webhooks } = startPortal({ readOnly: true });
    await webhooks.forTenant('acme').create({ url: HOOK_URL });
    expect((await call('GET', '/1')).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await call('POST', '/1/test')).json.code).toBe('read_only');
  });

  it('names the methods that change something only to who may change', async () => {
    const { call, webhooks } = startPortal();
    await webhooks.forTenant('acme').create({ url: HOOK_URL });
    expect((await call('GET', '/1', { actor: READER })).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await call('GET', '/1')).headers.get('allow')).toBeNull();
  });

  it('hides what follows the path of a URL from who may only look', async () => {
    const { call, storage, webhooks } = startPortal();
    await webhooks
      .forTenant('acme')
      .create({ url: `${HOOK_URL}?token:s3cret=x&s3cret&to=a%26s3cret#s3cret` });
    await webhooks.forTenant('acme').create({ url: `${HOOK_URL}#s3cret?a=s3cret` });
    await webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
    const { deliveryId } = await webhooks.forTenant('acme').test(1);
    await failPending(storage, 10);
    expect((await call('GET', '/overview', { actor: READER })).json.problems).toHaveLength(2);
    const reads = everyRequest(deliveryId, 'customers').filter(({ method }) => method === 'GET');
    for (const path of reads.map((read) => read.path.replace('user.created', 'order.paid'))) {
      const { status, text } = await call('GET', path, { actor: READER });
      expect([path, status]).toEqual([path, 200]);
      expect(text, path).not.toContain('s3cret');
    }
    const { json } = await call('GET', '/1', { actor: READER });
    expect(json.url).toBe(`${HOOK_URL}?***`);
    expect((await call('GET', '/2', { actor: READER })).json.url).toBe(`${HOOK_URL}?***`);
    expect((await call('GET', '/1')).json.url).toContain('token:s3cret=x');
  });

  it('refuses a URL that it has masked, in either API, and keeps the whole one', async () => {
    const { call, webhooks } = startPortal();
    const url = `${HOOK_URL}?key=s3cret`;
    await webhooks.forTenant('acme').create({ url });
    const masked = { url: (await call('GET', '/1', { actor: READER })).json.url };
    const admin = startAdmin({ webhooks }).call;
    for (const answer of [
      await call('PUT', '/1', { body: masked }),
      await call('POST', '', { body: masked }),
      await admin('PUT', '/1', { body: masked }),
      await admin('POST', '', { body: masked }),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed']);
      expect(answer.json.errors).toMatchObject([{ field: 'url', code: 'masked_url' }]);
    }
    expect((await call('GET', '')).json).toMatchObject({ webhooks: [{ url }], total: 1 });
  });

  it('finds for who may only look what that user sees, and nothing by the hidden values', async () => {
    const { call, webhooks } = startPortal();
    const own = webhooks.forTenant('acme');
    await own.create({ url: `${HOOK_URL}?key=s3cret`, name: 'Billing', events: ['order.*'] });
    await own.create({ url: 'https://other.example.com/in', description: 'Stock 100%' });
    await own.create({ url: 'https://other.example.com/in?key=none', events: ['order.paid'] });
    const found = async (search: string, actor = READER, page = '') => {
      const query = `search=${encodeURIComponent(search)}${page}`;
      const list = (await call('GET', `?${query}`, { actor })).json;
      const explained = (await call('GET', `/explain?event=order.paid&${query}`, { actor })).json;
      const idsOf = ({ webhooks: shown }: typeof list) => shown.map(({ id }: { id: number }) => id);
      return { ids: idsOf(list), total: list.total, explained: [idsOf(explained), explained.total] };
    };
    for (const search of ['key=s', 's3cret', '?key=s3cret', 'key=none']) {
      expect(await found(search), search).toEqual({ ids: [], total: 0, explained: [[], 0] });
    }
    expect((await found('S3CRET', USER)).ids).toEqual([1]);
    for (const search of ['HOOKS.example', 'billing', 'stock 100%', 'order.paid', 'order.*', '/in', '']) {
      expect(await found(search), search).toEqual(await found(search, USER));
    }
    for (const page of ['&limit=1', '&limit=1&offset=1', '&offset=2', '&offset=3']) {
      expect(await found('/in', READER, page), page).toEqual(await found('/in', USER, page));
    }
    const { status, json } = await call('GET', '?search=in&sort=url&order=asc&active=true', {
      actor: READER,
    });
    const ids = json.webhooks.map(({ id }: { id: number }) => id);
    expect([status, ids, json.limit, json.offset]).toEqual([200, [1, 2, 3], 50, 0]);
  });

  it('orders by URL for who may only look as that user sees it', async () => {
    const { call, webhooks } = startPortal();
    for (const rest of ['?key=c', '', '?key=a', '2', '?key=b']) {
      await webhooks.forTenant('acme').create({ url: HOOK_URL + rest });
    }
    const ordered = async (page: string, actor = READER) => {
      const { json } = await call('GET', `?sort=url&${page}`, { actor });
      return json.webhooks.map(({ id }: { id: number }) => id);
    };
    expect(await ordered('order=asc')).toEqual([2, 4, 1, 3, 5]);
    expect(await ordered('order=desc')).toEqual([5, 3, 1, 4, 2]);
    expect(await ordered('order=asc&limit=2&offset=1')).toEqual([4, 1]);
    expect(await ordered('order=asc', USER)).toEqual([2, 4, 3, 5, 1]);
  });

  it('audits by the clock of the engine, as the API of administrators does', async () => {
    const events: AuditEvent[] = [];
    const onAudit = (event: AuditEvent) => void events.push(event);
    const webhooks = engineOn(memoryStorage(), { clock: () => NOW });
    await startPortal({ webhooks, onAudit }).call('POST', '', { body: { url: HOOK_URL } });
    await startAdmin({ webhooks, onAudit }).call('DELETE', '/1');
    const at = '2026-11-20T04:10:00.123Z';
    expect(events).toMatchObject([
      { action: 'webhook.created', at },
      { action: 'webhook.deleted', at },
    ]);
  });

  it('refuses pages of other sites, except those that it trusts', async () => {
    const { call } = startPortal({ trustedOrigins: ['https://shop.example'] });
    const from = (origin: string) =>
      call('POST', '', { body: { url: HOOK_URL }, headers: { origin, 'sec-fetch-site': 'cross-site' } });
    expect((await from('https://evil.example')).json.code).toBe('cross_site');
    expect((await from('https://shop.example')).status).toBe(201);
  });

  it('says to the page of another site, and once in the log, which option lets it in', async () => {
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...said: unknown[]) => void warnings.push(said) };
    const detail = 'A page of another site sent the request: trustedOrigins of createPortalApi lets one in';
    const { call } = startPortal({ logger });
    const init = { body: { url: HOOK_URL }, headers: { origin: 'https://shop.example' } };
    for (const answer of [await call('POST', '', init), await call('POST', '', init)]) {
      expect(answer.json).toMatchObject({ status: 403, code: 'cross_site', detail });
    }
    expect(warnings).toEqual([[{ origin: 'https://shop.example' }, detail]]);
    const admin = await startAdmin({ logger }).call('POST', '', init);
    expect(admin.json.detail).toContain('trustedOrigins of createAdminApi');
    for (let n = 0; n < 20; n += 1) await call('POST', '', { headers: { origin: `https://${n}.example` } });
    expect(warnings).toHaveLength(11);
  });

  it('logs a failure with the customer that met it, and tells the customer nothing of it', async () => {
    const logged: unknown[] = [];
    const log = (fields: object, message: string) => void logged.push([message, fields]);
    const storage = memoryStorage();
    const broken = {
      ...storage,
      listWebhooks: async () => {
        throw new Error('no room on /dev/sda1');
      },
    };
    const logger = { debug: log, info: log, warn: log, error: log };
    const { call } = startPortal({ webhooks: engineOn(broken, { logger }), logger });
    const { status, text, json } = await call('GET', '', { actor: READER });
    expect([status, json.code]).toEqual([503, 'storage_unavailable']);
    expect(text).not.toContain('sda1');
    expect(logged).toMatchObject([
      ['portal API request failed', { code: 'storage_unavailable', method: 'GET', tenant: 'acme' }],
    ]);
  });

  it('leaves the API of administrators to them', async () => {
    const { webhooks, call } = await startWithWebhook();
    const admin = startAdmin({ webhooks }).call;
    expect((await admin('GET', '', { actor: USER })).json.code).toBe('insufficient_scope');
    expect((await call('GET', '', { actor: { ...ADMIN, tenant: 'acme' } })).json.code).toBe(
      'insufficient_scope',
    );
    expect(routesFor('customers').length).toBeGreaterThan(15);
  });
});

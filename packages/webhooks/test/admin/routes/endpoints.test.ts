import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { createWebhooks } from '../../../src/webhooks.ts';
import { BASE, HOOK_URL, startAdmin } from '../admin-harness.ts';

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SECRET = /whsec_/;

/** Headers by the names that Node gives to those of a request. */
const lowerCased = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('create', () => {
  it('answers 201 with every field and the secret', async () => {
    const { call } = startAdmin();
    const answer = await call('POST', '', {
      body: { url: HOOK_URL, name: 'Ledger', description: 'Billing', events: ['user.*', 'role.created'] },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('location')).toBe('/api/admin/webhooks/1');
    expect(answer.json).toStrictEqual({
      id: 1,
      url: HOOK_URL,
      name: 'Ledger',
      description: 'Billing',
      events: ['user.*', 'role.created'],
      is_active: true,
      max_per_minute: null,
      inactive_reason: '',
      inactive_since: null,
      previous_secret_expires_at: null,
      created_by: 42,
      created_by_uid: '42',
      created_by_name: null,
      created_at: TIMESTAMP,
      updated_at: TIMESTAMP,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
    });
  });

  it('subscribes to everything where no events are given', async () => {
    const { call } = startAdmin();
    const { json } = await call('POST', '', { body: { url: HOOK_URL } });
    expect(json).toMatchObject({ name: '', description: '', events: ['*'], is_active: true });
  });

  it.each([
    ['42', 42],
    ['1', 1],
    ['0', 0],
    ['-7', -7],
    ['007', 7],
    ['+7', 0],
    ['-0', 0],
    ['alice', 0],
    ['1e3', 0],
    [' 1', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 0],
    ['0197a5c0-2f6e-7cc1-a9a0-3d7f1f4b8c11', 0],
    ['ä'.repeat(255), 0],
  ])('records the uid %j, and as created_by %d', async (uid, createdBy) => {
    const { call, webhooks } = startAdmin();
    const answer = await call('POST', '', {
      body: { url: HOOK_URL },
      actor: { uid, scopes: ['admin:webhooks'] },
    });
    expect(answer.text).toContain(`"created_by":${createdBy},`);
    expect(answer.json.created_by_uid).toBe(uid);
    // toBe tells 0 from -0, which JSON does not.
    expect((await webhooks.get(1)).createdBy).toBe(createdBy);
  });
});

describe('the secret', () => {
  it('appears in no answer but that of create', async () => {
    const { call, webhooks } = startAdmin();
    const created = await call('POST', '', { body: { url: HOOK_URL } });
    expect(created.text).toMatch(SECRET);
    await webhooks.dispatch('user.created', { id: 1 });
    const { json: tested } = await call('POST', '/1/test');
    const answers = await Promise.all([
      call('GET', ''),
      call('GET', '/events'),
      call('GET', '/1'),
      call('PUT', '/1', { body: { description: 'again' } }),
      call('GET', '/1/deliveries'),
      call('GET', `/1/deliveries/${tested.delivery_id}`),
      call('GET', '/1/activity'),
      call('GET', '/explain?event=user.created'),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toMatch(SECRET);
      expect(answer.text).not.toContain(created.json.secret.slice(6));
      expect(answer.text).not.toContain('"secret"');
    }
  });

  it('stays out of the wire when a storage returns it with the record', async () => {
    const storage = memoryStorage();
    const leaky = {
      ...storage,
      findWebhook: async (id: number) => {
        const webhook = await storage.findWebhook(id);
        return webhook && { ...webhook, secret: 'whsec_leak' };
      },
    };
    const { call } = startAdmin({ storage: leaky });
    await call('POST', '', { body: { url: HOOK_URL } });
    const answer = await call('GET', '/1');
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(SECRET);
  });
});

describe('the list', () => {
  it('pages, filters and sorts', async () => {
    const { call } = startAdmin();
    for (const name of ['a', 'b', 'c']) {
      const body = {
        url: `https://${name}.example.com/`,
        is_active: name !== 'b',
        description: `Team ${name}`,
      };
      await call('POST', '', { body });
    }
    const ids = async (query: string) => {
      const { status, json } = await call('GET', query);
      expect(status).toBe(200);
      return json.webhooks.map((webhook: { id: number }) => webhook.id);
    };
    expect(await ids('')).toEqual([3, 2, 1]);
    expect(await ids('?sort=url&order=asc')).toEqual([1, 2, 3]);
    expect(await ids('?active=false')).toEqual([2]);
    expect(await ids('?active=true')).toEqual([3, 1]);
    expect(await ids('?search=team%20C')).toEqual([3]);
    expect(await ids('?search=')).toEqual([3, 2, 1]);
    expect(await ids('?search=%25')).toEqual([]);
    const { json } = await call('GET', '?limit=1&offset=1');
    expect(json).toStrictEqual({ webhooks: [expect.any(Object)], total: 3, limit: 1, offset: 1 });
    expect(json.webhooks[0].id).toBe(2);
    expect(json.webhooks[0]).not.toHaveProperty('stats');
  });
});

describe('the list of events', () => {
  it.each([
    [false, ['order.created', 'role.created', 'webhook.test']],
    [
      ['user.updated', 'user.created'] as const,
      ['user.created', 'user.updated', 'order.created', 'role.created', 'webhook.test'],
    ],
  ])('leaves out the built-in events that the application never sends (%j)', async (builtInEvents, names) => {
    const webhooks = createWebhooks({
      storage: memoryStorage(),
      events: { 'order.created': { label: 'Order placed' }, 'role.created': { label: 'Role' } },
      builtInEvents,
    });
    const { call } = startAdmin({ webhooks });
    const named = (events: { name: string }[]) => events.map(({ name }) => name);
    expect(named((await call('GET', '/events')).json.events)).toEqual(names);
    expect(Object.keys((await call('GET', '/openapi.json')).json.webhooks)).toEqual(names);
    expect((await call('GET', '/explain?event=user.deleted')).json.known).toBe(false);
  });
});

describe('update', () => {
  it('changes the given fields alone', async () => {
    const { call } = startAdmin();
    const { json: created } = await call('POST', '', { body: { url: HOOK_URL, events: ['user.*'] } });
    const { secret: _, ...webhook } = created;
    const changed = await call('PUT', '/1', { body: { is_active: false } });
    expect(changed.status).toBe(200);
    expect(changed.json).toStrictEqual({
      ...webhook,
      is_active: false,
      inactive_since: changed.json.updated_at,
      updated_at: TIMESTAMP,
    });
    const body = {
      url: 'https://other.example.com/',
      events: ['*'],
      name: 'y',
      description: 'x',
      is_active: true,
    };
    expect((await call('PUT', '/1', { body })).json).toMatchObject(body);
    expect((await call('GET', '/1')).json).toMatchObject(body);
  });
});

describe('delete', () => {
  it('answers 204 without a body, then 404', async () => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    const answer = await call('DELETE', '/1');
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers.get('content-type')).toBeNull();
    for (const [method, path] of [
      ['DELETE', '/1'],
      ['GET', '/1'],
      ['GET', '/1/deliveries'],
      ['POST', '/1/test'],
    ] as const) {
      expect(await call(method, path)).toMatchObject({ status: 404, json: { code: 'webhook_not_found' } });
    }
  });
});

describe('test', () => {
  it('answers 202 with one delivery of webhook.test, whatever the patterns', async () => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL, events: ['role.created'] } });
    const { status, json } = await call('POST', '/1/test');
    expect(status).toBe(202);
    expect(json).toStrictEqual({ delivery_id: expect.stringMatching(/^[0-9a-f]{32}$/), status: 'pending' });
    const history = await call('GET', '/1/deliveries');
    expect(history.json.deliveries).toMatchObject([{ delivery_id: json.delivery_id, event: 'webhook.test' }]);
  });

  it('is refused with 409 while the webhook is inactive', async () => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL, is_active: false } });
    expect(await call('POST', '/1/test')).toMatchObject({ status: 409, json: { code: 'webhook_inactive' } });
  });

  it('sends the plain test event for an empty object, and for a payload without an event', async () => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    for (const [body, payload] of [
      [{}, { webhook_id: 1, message: expect.any(String), timestamp: TIMESTAMP }],
      [{ payload: { id: 7 } }, { id: 7 }],
    ]) {
      const { status, json } = await call('POST', '/1/test', { body });
      expect(status).toBe(202);
      const { json: delivery } = await call('GET', `/1/deliveries/${json.delivery_id}`);
      expect(delivery).toMatchObject({ event: 'webhook.test', payload, is_test: true });
    }
  });

  it('shows the numbers of a payload as they were stored', async () => {
    const memory = memoryStorage();
    const payload = '{"id":8202522731445525542,"total":1.10}';
    const storage: WebhookStorage = {
      ...memory,
      findDeliveries: async (search) => {
        const page = await memory.findDeliveries(search);
        const content = { payload, attemptLog: [] };
        return { ...page, deliveries: page.deliveries.map((found) => ({ ...found, content })) };
      },
    };
    const { call } = startAdmin({ storage });
    await call('POST', '', { body: { url: HOOK_URL } });
    const { json } = await call('POST', '/1/test');
    const { text, headers } = await call('GET', `/1/deliveries/${json.delivery_id}`);
    expect(text).toContain(`"payload":${payload},"request":null`);
    expect(headers.get('content-length')).toBe(String(text.length));
  });

  it('sends a known event with the payload that was chosen, marked as a test', async () => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL, events: ['role.created'] } });
    const payload = { id: 7, deep: { list: [1, 'ü', null] } };
    const { status, json } = await call('POST', '/1/test', { body: { event: 'user.created', payload } });
    expect(status).toBe(202);
    const { json: delivery } = await call('GET', `/1/deliveries/${json.delivery_id}`);
    expect(delivery).toMatchObject({ event: 'user.created', payload, is_test: true });
    const { json: found } = await call('GET', `/deliveries?delivery_id=${json.delivery_id}`);
    expect(found.deliveries).toMatchObject([{ is_test: true }]);
  });

  it.each([
    ['{not json', 'application/json', 400, 'malformed_json'],
    ['{"event":"user.created","payload":{}}', 'text/plain', 415, 'unsupported_media_type'],
    ['null', 'application/json', 422, 'validation_failed'],
    ['{"event":"user.created","payload":[]}', 'application/json', 422, 'validation_failed'],
    ['{"event":"user.created","payload":null}', 'application/json', 422, 'validation_failed'],
    ['{"event":"user.created","other":1}', 'application/json', 422, 'validation_failed'],
    ['{"event":"never.heard_of","payload":{}}', 'application/json', 422, 'validation_failed'],
    ['{"event":"user.created"}', 'application/json', 422, 'validation_failed'],
  ])('refuses the body %s of type %s', async (raw, type, status, code) => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    const answer = await call('POST', '/1/test', { raw, headers: { 'content-type': type } });
    expect(answer).toMatchObject({ status, json: { code } });
    expect((await call('GET', '/1/deliveries')).json.deliveries).toEqual([]);
  });

  it('refuses a payload that does not fit the schema of its event, and says where', async () => {
    const payload = z.object({ id: z.int() });
    const webhooks = createWebhooks({
      storage: memoryStorage(),
      egress: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
      events: { 'order.created': { label: 'Order placed', payload } },
    });
    const { call } = startAdmin({ webhooks });
    await call('POST', '', { body: { url: HOOK_URL } });
    const body = { event: 'order.created', payload: { id: 'seven' } };
    expect(await call('POST', '/1/test', { body })).toMatchObject({
      status: 422,
      json: { code: 'invalid_payload', errors: [{ field: 'id', code: 'invalid_type' }] },
    });
  });

  it('refuses a payload that its schema makes larger than 256 KiB', async () => {
    const payload = z.object({ id: z.int().transform(() => 'x'.repeat(262_144)) });
    const webhooks = createWebhooks({
      storage: memoryStorage(),
      egress: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
      events: { 'order.created': { label: 'Order placed', payload } },
    });
    const { call } = startAdmin({ webhooks });
    await call('POST', '', { body: { url: HOOK_URL } });
    const body = { event: 'order.created', payload: { id: 7 } };
    expect(await call('POST', '/1/test', { body })).toMatchObject({
      status: 422,
      json: { code: 'payload_too_large' },
    });
    expect((await call('GET', '/1/deliveries')).json.deliveries).toEqual([]);
  });
});

describe('the history', () => {
  it('shows a pending delivery without its payload', async () => {
    const { call, webhooks } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    await webhooks.dispatch('user.created', { id: 7 });
    const { json } = await call('GET', '/1/deliveries');
    expect(json).toStrictEqual({
      deliveries: [
        {
          id: 1,
          webhook_id: 1,
          delivery_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          event: 'user.created',
          is_test: false,
          status: 'pending',
          status_code: 0,
          response_body: '',
          error: '',
          attempts: 0,
          deferrals: 0,
          created_at: TIMESTAMP,
          completed_at: null,
          next_attempt_at: TIMESTAMP,
        },
      ],
      next_cursor: null,
      scanned_until: null,
    });
  });

  it('filters by status and event', async () => {
    const { call, webhooks } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    await webhooks.dispatch('user.created', {});
    await webhooks.dispatch('role.created', {});
    const count = async (query: string) => {
      const { json } = await call('GET', `/1/deliveries?${query}`);
      return json.deliveries.length;
    };
    expect(await count('status=pending')).toBe(2);
    expect(await count('status=failed')).toBe(0);
    expect(await count('event=role.created')).toBe(1);
    expect(await count('status=pending&event=user.created&limit=100')).toBe(1);
  });

  it('shows one delivery with its payload and the log of its attempts', async () => {
    let sent: IncomingHttpHeaders = {};
    const recipient = createServer((request, response) => {
      sent = request.headers;
      response.setHeader('X-Request-Id', 'r-1').end('thanks');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => recipient.once('listening', resolve));
    const { port } = recipient.address() as AddressInfo;
    let delivered = () => {};
    const delivery = new Promise<void>((resolve) => {
      delivered = resolve;
    });
    const storage = memoryStorage();
    const webhooks = createWebhooks({
      // Announces when a result is recorded.
      storage: {
        ...storage,
        recordAttempts: (records) => storage.recordAttempts(records, RESULT_RULES).finally(() => delivered()),
      },
      egress: { allowedAddresses: ['127.0.0.1/32'] },
    });
    onTestFinished(async () => {
      await webhooks.close();
      recipient.close();
    });
    await webhooks.start();
    const { call } = startAdmin({ webhooks });
    await call('POST', '', { body: { url: `http://127.0.0.1:${port}/` } });
    await webhooks.dispatch('user.created', { id: 7, deep: { list: [1, 'ü', null] } });
    await delivery;
    const { json: history } = await call('GET', '/1/deliveries');
    const { status, json } = await call('GET', `/1/deliveries/${history.deliveries[0].delivery_id}`);
    expect(status).toBe(200);
    expect(json).toStrictEqual({
      ...history.deliveries[0],
      status: 'success',
      status_code: 200,
      response_body: 'thanks',
      attempts: 1,
      completed_at: TIMESTAMP,
      next_attempt_at: null,
      payload: { id: 7, deep: { list: [1, 'ü', null] } },
      request: { attempt: 1, headers: expect.any(Object), omitted_headers: expect.any(Array) },
      attempt_log: [
        {
          attempt: 1,
          started_at: TIMESTAMP,
          duration_ms: expect.any(Number),
          status_code: 200,
          error: '',
          detail: '',
          deferrals: null,
          response_headers: { 'x-request-id': 'r-1' },
          response_body: 'thanks',
        },
      ],
    });
    const named = [...Object.keys(json.request.headers), ...json.request.omitted_headers];
    expect(sent).toMatchObject(lowerCased(json.request.headers));
    const ofTheConnection = ['host', 'connection', 'content-length'];
    const ownHeaders = Object.keys(sent).filter((name) => !ofTheConnection.includes(name));
    expect(named.map((name) => name.toLowerCase()).sort()).toEqual(ownHeaders.sort());
    const detail = await call('GET', '/1');
    expect(detail.json.stats).toStrictEqual({ total: 1, success: 1, failed: 0, pending: 0 });
  });

  it('keeps a delivery to its own webhook', async () => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    await call('POST', '', { body: { url: HOOK_URL } });
    const { json } = await call('POST', '/1/test');
    expect((await call('GET', `/1/deliveries/${json.delivery_id}`)).status).toBe(200);
    expect(await call('GET', `/2/deliveries/${json.delivery_id}`)).toMatchObject({
      status: 404,
      json: { code: 'delivery_not_found' },
    });
  });
});

describe('every answer', () => {
  it('forbids caching and sniffing', async () => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    const answers = await Promise.all([
      call('GET', ''),
      call('OPTIONS', ''),
      call('GET', '/1', { actor: null }),
      call('GET', '/9'),
      call('PATCH', '/1'),
      call('DELETE', '/1'),
      call('GET', '!/elsewhere'),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('to HEAD is that of GET without the body', async () => {
    const { call } = startAdmin();
    for (const path of ['', '/events', '/7', '/nothing']) {
      const [get, head] = [await call('GET', path), await call('HEAD', path)];
      expect(head.text).toBe('');
      expect(head.status).toBe(get.status);
      expect([...head.headers]).toEqual([...get.headers]);
    }
  });

  it('lives under the configured base path alone', async () => {
    const { call } = startAdmin({ basePath: '/v2/hooks' });
    expect((await call('GET', '!/v2/hooks')).status).toBe(200);
    expect((await call('GET', '!/v2/hooks/events')).status).toBe(200);
    for (const path of [BASE, '/v2/hooks2', '/v2', '/V2/hooks', '/v2/hooksevents']) {
      // Nobody is asked who it is: these paths are not this API's.
      expect((await call('GET', `!${path}`, { actor: null })).status).toBe(404);
    }
  });
});

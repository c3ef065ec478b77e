import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import { words } from '../../../../toolkit/test/words.ts';
import { silentLogger } from '../../../src/logging/logger.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../../src/webhooks.ts';
import { type CallOptions, engineOn, HOOK_URL, startAdmin } from '../admin-harness.ts';
import { everyRequest } from './every-request.ts';

async function startWithWebhook() {
  const admin = startAdmin();
  await admin.call('POST', '', { body: { url: HOOK_URL } });
  return admin;
}

describe('a field that is not valid', () => {
  const valid = { url: HOOK_URL };
  const patterns = (count: number) => Array.from({ length: count }, (_, n) => `e${n}.*`);

  inOneTest<[unknown, string]>([
    [{}, 'url'],
    [{ ...valid, url: 7 }, 'url'],
    [{ ...valid, url: null }, 'url'],
    [{ ...valid, url: '' }, 'url'],
    [{ ...valid, url: `https://a.example.com/${'x'.repeat(2_030)}` }, 'url'],
    [{ ...valid, name: null }, 'name'],
    [{ ...valid, name: 'x'.repeat(81) }, 'name'],
    [{ ...valid, description: 7 }, 'description'],
    [{ ...valid, description: 'x'.repeat(1_001) }, 'description'],
    [{ ...valid, description: 'a\u0000b' }, 'description'],
    [{ ...valid, events: 'user.*' }, 'events'],
    [{ ...valid, events: [] }, 'events'],
    [{ ...valid, events: patterns(101) }, 'events'],
    [{ ...valid, events: ['*', 'user.*', 'user*'] }, 'events[2]'],
    [{ ...valid, events: [7] }, 'events[0]'],
    [{ ...valid, events: [`${'x'.repeat(127)}.*`] }, 'events[0]'],
    ...[0, 60_001, 1.5, '60', -1].map(
      (n) => [{ ...valid, max_per_minute: n }, 'max_per_minute'] as [unknown, string],
    ),
    [{ ...valid, is_active: 1 }, 'is_active'],
    [{ ...valid, is_active: 'true' }, 'is_active'],
    [{ ...valid, isActive: true }, 'isActive'],
    [{ ...valid, secret: 'whsec_mine' }, 'secret'],
    [{ ...valid, id: 7 }, 'id'],
    [{ ...valid, created_by: 7 }, 'created_by'],
    [{ ...valid, created_by_uid: '7' }, 'created_by_uid'],
    [{ ...valid, constructor: {} }, 'constructor'],
    [[], ''],
    ['text', ''],
    [null, ''],
    [7, ''],
  ])('is 422 on create: %j', async (body, field) => {
    const { call } = startAdmin();
    const answer = await call('POST', '', { body });
    expect(answer).toMatchObject({
      status: 422,
      json: {
        type: 'about:blank',
        title: 'Unprocessable Content',
        status: 422,
        code: 'validation_failed',
        detail: expect.any(String),
        errors: [{ field, code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) }],
      },
    });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect((await call('GET', '')).json.total).toBe(0);
  });

  inOneTest<[unknown, string]>([
    [{ url: 7 }, 'url'],
    [{ events: [] }, 'events'],
    [{ is_active: 0 }, 'is_active'],
    [{ is_active: null }, 'is_active'],
    [{ secret: 'whsec_mine' }, 'secret'],
    [{ updated_at: '2026-01-01T00:00:00.000Z' }, 'updated_at'],
    [[], ''],
  ])('is 422 on update: %j', async (body, field) => {
    const { call } = await startWithWebhook();
    const before = (await call('GET', '/1')).text;
    const answer = await call('PUT', '/1', { body });
    expect(answer).toMatchObject({ status: 422, json: { code: 'validation_failed', errors: [{ field }] } });
    expect((await call('GET', '/1')).text).toBe(before);
  });

  it('is reported with the others', async () => {
    const { call } = startAdmin();
    const { json } = await call('POST', '', { body: { url: 1, events: [], is_active: 2, secret: 'x' } });
    const fields = json.errors.map((error: { field: string }) => error.field);
    expect(fields.sort()).toEqual(['events', 'is_active', 'secret', 'url']);
  });

  it('keeps a body of many unknown fields from becoming a long answer', async () => {
    const { call } = startAdmin();
    const body = Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`field${n}`, 1]));
    const answer = await call('POST', '', { body });
    expect(answer.status).toBe(422);
    expect(answer.json.errors.length).toBeLessThanOrEqual(21);
  });

  inOneTest([
    '{"url":"https://hooks.example.com/","__proto__":{"isAdmin":true}}',
    '{"__proto__":{"url":"https://hooks.example.com/"}}',
    '{"url":"https://hooks.example.com/","constructor":{"prototype":{"isAdmin":true}}}',
  ])('is 422 where it reaches for a prototype: %s', async (raw) => {
    const { call } = startAdmin();
    const answer = await call('POST', '', { raw, headers: { 'content-type': 'application/json' } });
    expect(answer).toMatchObject({ status: 422, json: { code: 'validation_failed' } });
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });
});

describe('a URL that is not public', () => {
  inOneTest(
    words(`
    http://localhost/ http://127.0.0.1/ http://10.1.2.3/ http://172.16.0.1/ http://192.168.0.1/
    http://169.254.169.254/latest/meta-data/ http://[::1]/ http://2130706433/
    https://user:pass@example.com/
  `),
  )('is 422 on create and update: %s', async (url) => {
    const { call } = await startWithWebhook();
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', '/1'],
    ] as const) {
      expect(await call(method, path, { body: { url } })).toMatchObject({
        status: 422,
        json: { code: 'url_not_public', errors: [{ field: 'url' }] },
      });
    }
    expect((await call('GET', '/1')).json.url).toBe(HOOK_URL);
  });
});

describe('a text that is no URL of the web', () => {
  inOneTest(['example.com/hook', 'localhost:3000', 'nonsense', 'ftp://example.com/', '//example.com/hook'])(
    'is 422 on create and update, with what to write: %s',
    async (url) => {
      const { call } = await startWithWebhook();
      const message = 'The URL must begin with https:// or http://, as in https://example.com/hook.';
      for (const [method, path] of [
        ['POST', ''],
        ['PUT', '/1'],
      ] as const) {
        expect((await call(method, path, { body: { url } })).json).toEqual({
          type: 'about:blank',
          title: 'Unprocessable Content',
          status: 422,
          code: 'validation_failed',
          detail: message,
          errors: [{ field: 'url', code: 'invalid_url', message }],
        });
      }
      expect((await call('GET', '/1')).json.url).toBe(HOOK_URL);
    },
  );
});

/** How the advice about this machine ends. */
const NAMED = "in its place, and name that in egress.allowedAddresses: '127.0.0.1'.";

describe('the URL of a local recipient', () => {
  const LOCAL = words(`
    http://127.0.0.1:3000/hook http://localhost:3000/hook http://app.localhost/ http://10.1.2.3/
    http://[::1]:80/ http://0.0.0.0:3000/ http://[::]:3000/ http://recipient:3000/hook
    http://Printer.local./ http://host.docker.internal:3000/
  `);

  it('is refused with words for the developer that name the option, logged once for each host', async () => {
    const lines: unknown[][] = [];
    const log = (...line: unknown[]) => lines.push(line);
    const logger = { debug: log, info: log, warn: log, error: log };
    const { call } = startAdmin({ webhooks: createWebhooks({ storage: memoryStorage(), logger }) });
    for (const url of [...LOCAL, ...LOCAL]) {
      const answer = await call('POST', '', { body: { url } });
      expect(answer.json).toMatchObject({ status: 422, code: 'url_not_public' });
      expect(answer.json.detail).toContain('egress.allowedAddresses');
      expect(JSON.stringify(answer.json.errors)).not.toMatch(/egress/);
    }
    const hosts = [
      ...['127.0.0.1', 'localhost', 'app.localhost', '10.1.2.3', '::1', '0.0.0.0', '::'],
      ...['recipient', 'printer.local', 'host.docker.internal'],
    ];
    expect(lines.map(([fields]) => fields)).toEqual(hosts.map((host) => ({ host })));
    for (const [, words] of lines) expect(words).toContain('egress.allowedAddresses');
    // Administrators choose the hosts: the log does not grow with them.
    for (let n = 1; n <= 20; n += 1) await call('POST', '', { body: { url: `http://10.0.0.${n}/` } });
    expect(lines).toHaveLength(10);
  });

  inOneTest([
    ['http://10.1.2.3/', "name its address in egress.allowedAddresses: '10.1.2.3'."],
    ['http://localhost:3000/', `write http://127.0.0.1:3000 ${NAMED}`],
    ['https://app.localhost/', `write https://127.0.0.1 ${NAMED}`],
    ['http://0.0.0.0/', `write http://127.0.0.1 ${NAMED}`],
    ['http://[::]/', `write http://127.0.0.1 ${NAMED}`],
    ['http://recipient:3000/', 'a name with a dot that leads there, such as recipient.test,'],
  ])('says of %s what would work', async (url, words) => {
    const { call } = startAdmin();
    const { json } = await call('POST', '', { body: { url } });
    expect(json.detail).toContain(words);
  });

  it('is said of localhost where its address is allowed already', async () => {
    const egress = { allowedAddresses: ['127.0.0.1'] };
    const { call } = startAdmin({ webhooks: createWebhooks({ storage: memoryStorage(), egress }) });
    const { json } = await call('POST', '', { body: { url: 'http://localhost:3000/' } });
    expect(json.detail).toMatch(/ write http:\/\/127\.0\.0\.1:3000 in its place\.$/);
  });

  it("is not told to a customer, but to the developer in the error's cause and the log", async () => {
    const lines: unknown[][] = [];
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) };
    const { forTenant } = createWebhooks({ storage: memoryStorage(), logger });
    const advice = expect.stringContaining('egress.dangerouslyAllowedTenantAddresses');
    for (const url of [
      'http://127.0.0.1:3000/',
      'http://localhost:3000/',
      'https://[::1]/',
      'http://127.0.0.1/',
    ]) {
      const refused = forTenant('acme').create({ url });
      await expect(refused).rejects.toMatchObject({
        message: expect.not.stringContaining('egress'),
        cause: { message: advice },
      });
    }
    await expect(forTenant('acme').create({ url: 'http://a.example/' })).rejects.not.toHaveProperty('cause');
    expect(lines).toEqual(['127.0.0.1', 'localhost', '::1'].map((host) => [{ host }, advice]));
  });

  it('is not advertised where the address must stay out of reach', async () => {
    const lines: unknown[][] = [];
    const log = (...line: unknown[]) => lines.push(line);
    const logger = { debug: log, info: log, warn: log, error: log };
    const { call } = startAdmin({ webhooks: createWebhooks({ storage: memoryStorage(), logger }) });
    for (const url of [
      'http://169.254.169.254/',
      'http://[fe80::1]/',
      'http://100.64.0.1/',
      'http://192.0.2.1.:25/',
      'localhost:3000',
    ]) {
      const answer = await call('POST', '', { body: { url } });
      expect(answer.status).toBe(422);
      expect(answer.text).not.toContain('egress');
    }
    expect(lines).toEqual([]);
  });
});

describe('a query that is not valid', () => {
  inOneTest<[string, string]>([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=1e1', 'limit'],
    ['?limit=', 'limit'],
    ['?offset=-1', 'offset'],
    ['?offset=1000001', 'offset'],
    ['?active=1', 'active'],
    ['?sort=__proto__', 'sort'],
    ['?order=up', 'order'],
    [`?search=${'x'.repeat(201)}`, 'search'],
    ['?search=%00', 'search'],
    ['?__proto__=1', '__proto__'],
    ['?limit=10&limit=20', 'limit'],
    ['/1?limit=1', 'limit'],
    ['/events?x', 'x'],
    ['/1/deliveries?status=sent', 'status'],
    ['/1/deliveries?status=pending&status=failed', 'status'],
    ['/1/deliveries?event=%00', 'event'],
    ['/1/deliveries?offset=1', 'offset'],
    ['/1/deliveries?cursor=abc', 'cursor'],
  ])('is 422: %s', async (path, field) => {
    const { call } = await startWithWebhook();
    expect(await call('GET', path)).toMatchObject({
      status: 422,
      json: { code: 'validation_failed', errors: [{ field }] },
    });
  });
});

describe('a body that is not JSON', () => {
  const json = { 'content-type': 'application/json' };
  const bytes = (...values: number[]) => new Uint8Array(values);

  inOneTest<[string, CallOptions, number, string]>([
    ['absent', { headers: json }, 400, 'malformed_json'],
    ['absent, without a type', {}, 400, 'malformed_json'],
    ['empty', { raw: '', headers: json }, 400, 'malformed_json'],
    ['white space', { raw: ' ', headers: json }, 400, 'malformed_json'],
    ['cut off', { raw: '{"url":', headers: json }, 400, 'malformed_json'],
    ['two values', { raw: '{}{}', headers: json }, 400, 'malformed_json'],
    ['single quotes', { raw: "{'url':1}", headers: json }, 400, 'malformed_json'],
    ['not UTF-8', { raw: bytes(0x22, 0xff, 0x22), headers: json }, 400, 'malformed_json'],
    ['UTF-16', { raw: bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0), headers: json }, 400, 'malformed_json'],
    ['nested deeply', { raw: '['.repeat(60_000), headers: json }, 400, 'malformed_json'],
    [
      'nested deeply and whole',
      { raw: '['.repeat(32_000) + ']'.repeat(32_000), headers: json },
      422,
      'validation_failed',
    ],
    ['of no type', { raw: new TextEncoder().encode('{}') }, 415, 'unsupported_media_type'],
    ['of text', { raw: '{}' }, 415, 'unsupported_media_type'],
    [
      'of a form',
      { raw: '{}', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    [
      'of a look-alike',
      { raw: '{}', headers: { 'content-type': 'application/jsonp' } },
      415,
      'unsupported_media_type',
    ],
    [
      'of text that says JSON',
      { raw: '{}', headers: { 'content-type': 'text/plain; application/json' } },
      415,
      'unsupported_media_type',
    ],
    [
      'of another charset',
      { raw: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      415,
      'unsupported_media_type',
    ],
    [
      'compressed',
      { raw: '{}', headers: { ...json, 'content-encoding': 'gzip' } },
      415,
      'unsupported_media_type',
    ],
  ])('%s is refused on create and update', async (_, options, status, code) => {
    const { call } = await startWithWebhook();
    expect(await call('POST', '', options)).toMatchObject({ status, json: { code } });
    expect(await call('PUT', '/1', options)).toMatchObject({ status, json: { code } });
  });

  inOneTest([
    'application/json',
    'Application/JSON',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])('is none of type %s', async (type) => {
    const { call } = startAdmin();
    const raw = JSON.stringify({ url: HOOK_URL });
    expect((await call('POST', '', { raw, headers: { 'content-type': type } })).status).toBe(201);
  });

  it('is not quoted in the answer', async () => {
    const { call } = startAdmin();
    const { text } = await call('POST', '', { raw: '{"hunter2', headers: json });
    expect(text).not.toContain('hunter2');
  });
});

describe('a body that is too large', () => {
  const sized = (bytes: number) => {
    const body = JSON.stringify({ url: HOOK_URL });
    return body + ' '.repeat(bytes - body.length);
  };
  const headers = { 'content-type': 'application/json' };

  it('is 413 beyond 64 KiB and accepted at 64 KiB', async () => {
    const { call } = startAdmin();
    expect((await call('POST', '', { raw: sized(65_536), headers })).status).toBe(201);
    expect(await call('POST', '', { raw: sized(65_537), headers })).toMatchObject({
      status: 413,
      json: { code: 'body_too_large' },
    });
  });

  it('is not read on where Content-Length says so', async () => {
    const { call } = startAdmin();
    const options = { raw: sized(100), headers: { ...headers, 'content-length': '65537' } };
    expect((await call('POST', '', options)).status).toBe(413);
  });

  inOneTest([
    ['POST', ''],
    ['PUT', '/1'],
    ['POST', '/1/test'],
    ['POST', '/1/recover'],
    ['POST', '/1/rotate-secret'],
    ['DELETE', '/1'],
  ])('is cut off while it streams without an end: %s %s', async (method, path) => {
    const { call } = await startWithWebhook();
    let chunks = 0;
    let cancelled = false;
    const raw = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new Uint8Array(1_024).fill(0x20));
      },
      cancel() {
        cancelled = true;
      },
    });
    const answer = await call(method, path, { raw, headers: { ...headers, 'content-length': '2' } });
    expect(answer.status).toBe(413);
    expect(cancelled).toBe(true);
    expect(chunks).toBeLessThan(70);
    expect((await call('GET', '/1/deliveries')).json.deliveries).toEqual([]);
  });

  it('that breaks off is 400', async () => {
    const { call } = startAdmin();
    const raw = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('connection reset')),
    });
    const answer = await call('POST', '', { raw, headers });
    expect(answer).toMatchObject({ status: 400, json: { code: 'body_unreadable' } });
    expect(answer.text).not.toContain('reset');
  });
});

describe('a path that does not exist', () => {
  const HEX = '0123456789abcdef0123456789abcdef';

  inOneTest([
    ...words(`
      / /1/ //1 /1//deliveries /0 /01 /%31 /9007199254740993 /abc /1%2Fdeliveries /%zz /%e0%a4%a /Events
      /events/ /__proto__ /1/secret
    `),
    `/1/deliveries/${HEX}/x`,
    `/1/deliveries/${HEX.toUpperCase()}`,
    '/1/deliveries/1',
    '/1/deliveries/1/redeliver',
    '/1/rotate_secret',
    '/openapiXjson',
    `/x/deliveries/${HEX}`,
  ])('is 404 for every method: %s', async (path) => {
    const { call } = await startWithWebhook();
    for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect(await call(method, path)).toMatchObject({ status: 404, json: { code: 'not_found' } });
    }
  });

  inOneTest([
    ['/1/../1', 200],
    ['/%2e%2e/webhooks/1', 200],
    ['/../webhooks', 200],
    ['/..', 404],
    ['/1/%2e%2e/%2e%2e/other', 404],
  ])('counts after dot segments are resolved: %s is %d', async (path, status) => {
    const { call } = await startWithWebhook();
    expect((await call('GET', path)).status).toBe(status);
  });
});

describe('a method that a path does not have', () => {
  const HEX = '0123456789abcdef0123456789abcdef';

  inOneTest([
    ['', 'GET, HEAD, POST, OPTIONS'],
    ['/events', 'GET, HEAD, OPTIONS'],
    ['/events/user.created', 'GET, HEAD, OPTIONS'],
    ['/1', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/99', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/1/deliveries', 'GET, HEAD, OPTIONS'],
    [`/1/deliveries/${HEX}`, 'GET, HEAD, OPTIONS'],
    [`/1/deliveries/${HEX}/redeliver`, 'POST, OPTIONS'],
    ['/1/rotate-secret', 'POST, OPTIONS'],
    ['/1/recover', 'POST, OPTIONS'],
    ['/1/activity', 'GET, HEAD, OPTIONS'],
    ['/1/test', 'POST, OPTIONS'],
    ['/explain', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('is 405 and OPTIONS 204 with Allow: %s', async (path, allow) => {
    const { call } = await startWithWebhook();
    const options = await call('OPTIONS', path);
    expect(options).toMatchObject({ status: 204, text: '' });
    expect(options.headers.get('allow')).toBe(allow);
    const allowed = allow.split(', ');
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'get2']) {
      if (allowed.includes(method)) continue;
      const answer = await call(method, path, { headers: { 'x-http-method-override': 'DELETE' } });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe(allow);
      if (method !== 'HEAD') expect(answer.json.code).toBe('method_not_allowed');
    }
    expect((await call('GET', '/1')).status).toBe(200);
  });
});

describe('a failure on this side', () => {
  function startFailing(error: unknown) {
    const logged: object[] = [];
    const log = (fields: object) => logged.push(fields);
    const logger = { debug: log, info: log, warn: log, error: log };
    const fail = async () => {
      throw error;
    };
    const storage = memoryStorage();
    return { logged, logger, fail, storage };
  }

  it('of the storage is 503 with Retry-After and a log entry, and shows nothing of itself', async () => {
    const cause = new Error('connect ECONNREFUSED 10.9.8.7:5432');
    const { fail, logged, logger, storage } = startFailing(cause);
    const { call } = startAdmin({ storage: { ...storage, listWebhooks: fail }, logger });
    const answer = await call('GET', '?search=private');
    expect(answer).toMatchObject({ status: 503, json: { code: 'storage_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.text).not.toMatch(/10\.9|ECONN/);
    expect(logged).toMatchObject([
      { code: 'storage_unavailable', method: 'GET', error: { cause: { message: cause.message } } },
    ]);
    expect(JSON.stringify(logged)).not.toContain('private');
  });

  it('of the storage is 503 on every route that needs it', async () => {
    const { fail, storage } = startFailing(new Error('connect ECONNREFUSED 10.9.8.7:5432'));
    const methods = Object.keys(storage).map((method) => [method, fail]);
    const { call } = startAdmin({ storage: { ...storage, ...Object.fromEntries(methods) } });
    const withoutStorage = ['listEvents', 'getDocument'];
    for (const { name, method, path, body } of everyRequest('0123456789abcdef0123456789abcdef')) {
      const answer = await call(method, path, body === undefined ? {} : { body });
      const code = withoutStorage.includes(name) ? undefined : 'storage_unavailable';
      expect([name, answer.json.code]).toEqual([name, code]);
      expect(answer.text).not.toMatch(/10\.9|ECONN/);
    }
  });

  it('that nobody foresaw is 500 with a log entry, and shows nothing of itself', async () => {
    const error = new TypeError('cannot read /etc/secret');
    const { fail, logged, logger, storage } = startFailing(error);
    const webhooks = { ...engineOn(storage), get: fail };
    const { call } = startAdmin({ webhooks, logger });
    const answer = await call('GET', '/1');
    expect(answer.status).toBe(500);
    expect(answer.json).toStrictEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'internal_error',
    });
    expect(logged).toEqual([
      {
        error: { name: 'TypeError', message: error.message, stack: expect.stringMatching(/^\s+at /) },
        code: 'internal_error',
        method: 'GET',
      },
    ]);
  });
});

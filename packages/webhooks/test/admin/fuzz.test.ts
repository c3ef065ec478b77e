import express from 'express';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { mount } from '../../src/express/mount.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { exchangeRaw, listen } from '../http/loopback.ts';
import { ADMIN, actorFromHeader, BASE, caller, engineOn, HOOK_URL } from './admin-harness.ts';

const SEED = 20_261_120;

const method = fc.oneof(
  fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
  fc.stringMatching(/^[A-Z]{1,8}$/).filter((name) => !['CONNECT', 'TRACE', 'TRACK'].includes(name)),
);

const segment = fc.oneof(
  fc.constantFrom(
    '1',
    '2',
    '3',
    '0',
    '-1',
    'events',
    'deliveries',
    'test',
    '..',
    '.',
    '',
    '%2e%2e',
    '%2F',
    '%',
    '%00',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '9007199254740993',
    '0123456789abcdef0123456789abcdef',
    ';x=y',
    '%c0%ae',
  ),
  fc.string({ maxLength: 8 }).map((text) => text.replace(/[?#]/g, '')),
);

const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      'search',
      'active',
      'limit',
      'offset',
      'sort',
      'order',
      'status',
      'event',
      'cursor',
      '__proto__',
    ),
    fc.string({ maxLength: 6 }),
  ),
  fc.oneof(
    fc.constantFrom('1', '100', '-1', 'true', 'pending', 'url', 'asc', 'ZDE', '%00', '%zz', ''),
    fc.string({ maxLength: 12, unit: 'binary' }).map((text) => encodeURIComponent(text)),
  ),
);

const wildPath = fc
  .tuple(fc.array(segment, { maxLength: 5 }), fc.array(parameter, { maxLength: 3 }))
  .map(([segments, parameters]) => {
    const query = parameters.map(([name, value]) => `${name.replace(/#/g, '')}=${value}`).join('&');
    return segments.map((text) => `/${text}`).join('') + (query === '' ? '' : `?${query}`);
  });

const path = fc.oneof(fc.constantFrom('', '/1', '/events', '/2/deliveries', '/1/test', '/3'), wildPath);

const field = fc.oneof(
  fc.constantFrom<unknown>(HOOK_URL, 'http://127.0.0.1/', ['*'], [], true, null, 'user.*'),
  fc.jsonValue({ maxDepth: 3 }),
);

const body = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(JSON.stringify({ url: HOOK_URL }), JSON.stringify({ description: 'x' })),
  fc
    .dictionary(fc.constantFrom('url', 'description', 'events', 'is_active', 'secret', 'constructor'), field)
    .map((value) => JSON.stringify(value)),
  fc.json({ maxDepth: 4 }),
  fc.json({ maxDepth: 2 }).map((text) => `{"url":"${HOOK_URL}","__proto__":${text}}`),
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const hostileHeaders = fc.record(
  {
    'content-type': fc.oneof(
      fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain'),
      fc.stringMatching(/^[!-~]{0,20}$/),
    ),
    'content-length': fc.constantFrom('0', '10', '-1', '70000', 'NaN', '1e9'),
    'content-encoding': fc.constantFrom('gzip', 'identity', ''),
    'x-actor': fc.constantFrom(JSON.stringify(ADMIN), '{"uid":"1","scopes":["admin"]}', 'null'),
    'sec-fetch-site': fc.constantFrom('same-origin', 'cross-site', 'none', ''),
    origin: fc.oneof(
      fc.constantFrom('null', 'http://admin.example.com', '://'),
      fc.stringMatching(/^[!-~]{0,20}$/),
    ),
    host: fc.stringMatching(/^[!-~]{0,20}$/),
    authorization: fc.stringMatching(/^[ -~]{0,20}$/),
    cookie: fc.stringMatching(/^[ -~]{0,20}$/),
  },
  { requiredKeys: [] },
);

/** Half of the requests get past the door, or nothing behind it would be tried. */
const headers = fc.oneof(fc.constant({}), hostileHeaders);

describe('the admin API', () => {
  it('answers whatever is asked below 500, and in its own shapes', async () => {
    const webhooks = engineOn(memoryStorage());
    const api = createAdminApi(webhooks, { authorize: actorFromHeader });
    const call = caller(api);
    const statuses = new Map<number, number>();
    const prototype = Reflect.ownKeys(Object.prototype).length;

    await fc.assert(
      fc.asyncProperty(method, path, body, headers, async (verb, target, content, extra) => {
        if ((await webhooks.list()).total < 3) await webhooks.create({ url: HOOK_URL });
        const isBodiless = verb === 'GET' || verb === 'HEAD';
        const answer = await call(verb, target, {
          headers: { 'content-type': 'application/json', ...extra },
          ...(content === undefined || isBodiless
            ? {}
            : { raw: typeof content === 'string' ? content : new Uint8Array(content) }),
        });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        if (answer.status >= 400 && verb !== 'HEAD') {
          expect(answer.headers.get('content-type')).toBe('application/problem+json');
          expect(answer.json).toMatchObject({
            status: answer.status,
            code: expect.stringMatching(/^[a-z_]+$/),
          });
        }
        if (answer.status !== 201) expect(answer.text).not.toMatch(/"whsec_/);
        expect(Reflect.ownKeys(Object.prototype).length).toBe(prototype);
      }),
      { numRuns: 4_000, seed: SEED },
    );

    // A fuzz that never gets past the door proves nothing.
    for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 413, 415, 422]) {
      expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
    }
  });

  it('answers hostile bytes over HTTP below 500', async () => {
    const webhooks = engineOn(memoryStorage());
    const api = createAdminApi(webhooks, { authorize: () => ADMIN });
    const { port } = await listen(express().use(mount(api)));
    const visible = fc.stringMatching(/^[!-~]{0,24}$/);
    const target = fc.oneof(
      visible,
      visible.map((text) => `${BASE}/${text}`),
      path.map((text) => BASE + text.replace(/[^!-~]/g, '')),
    );
    const verbs = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'HEAD');
    const line = fc.tuple(
      fc.constantFrom('Host', 'Origin', 'Content-Type', 'Cookie', 'X-Forwarded-Host'),
      fc.stringMatching(/^[ -~\x80-\xff]{0,24}$/),
    );

    await fc.assert(
      fc.asyncProperty(verbs, target, fc.array(line, { maxLength: 4 }), async (verb, asked, lines) => {
        const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        const request = `${verb} ${asked} HTTP/1.1\r\n${head}Connection: close\r\nContent-Length: 2\r\n\r\n{}`;
        expect(await exchangeRaw(port, request)).toMatch(/^HTTP\/1\.1 [234]\d\d /);
      }),
      { numRuns: 400, seed: SEED },
    );
  });
});

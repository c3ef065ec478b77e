import express from 'express';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exchangeRaw, listen } from '../../../toolkit/test/loopback.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { createRouter } from '../../src/admin/routes/router.ts';
import { ROUTES } from '../../src/admin/routes/routes.ts';
import { mount } from '../../src/express/mount.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import type { Webhooks } from '../../src/webhooks.ts';
import { ADMIN, actorFromHeader, BASE, caller, engineOn, HOOK_URL } from '../admin/admin-harness.ts';
import { failPending } from '../admin/fail-pending.ts';
import { everyRequest } from '../admin/routes/every-request.ts';

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
    'redeliver',
    'recover',
    'rotate-secret',
    'activity',
    'explain',
    'openapi.json',
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
      'interval',
      'from',
      'to',
      '__proto__',
    ),
    fc.string({ maxLength: 6 }),
  ),
  fc.oneof(
    fc.constantFrom('1', '100', '-1', 'true', 'pending', 'url', 'asc', 'ZDEu', '%00', '%zz', ''),
    fc.constantFrom('hour', 'day', 'user.created', 'user.*', '2026-11-20T04:00:00Z', '2026-11-20', '1e3'),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.string({ maxLength: 12, unit: 'binary' }).map((text) => encodeURIComponent(text)),
  ),
);

const wildPath = fc
  .tuple(fc.array(segment, { maxLength: 5 }), fc.array(parameter, { maxLength: 3 }))
  .map(([segments, parameters]) => {
    const query = parameters.map(([name, value]) => `${name.replace(/#/g, '')}=${value}`).join('&');
    return segments.map((text) => `/${text}`).join('') + (query === '' ? '' : `?${query}`);
  });

/**
 * Stand for a webhook and a delivery of it that are there: which ones is known when the request is
 * made.
 */
const A_WEBHOOK = 'a-webhook';
const A_DELIVERY = 'a-delivery';

/** The path of a route, with an id that mostly exists. */
const routePath = fc
  .tuple(
    fc.constantFrom(...new Set(ROUTES.map((route) => route.path))),
    fc.constantFrom(A_WEBHOOK, A_WEBHOOK, A_WEBHOOK, '1', '99'),
    fc.array(parameter, { maxLength: 2 }),
  )
  .map(([route, id, parameters]) => {
    const query = parameters.map(([name, value]) => `${name.replace(/[#&]/g, '')}=${value}`).join('&');
    const filled = route.replace('{id}', id).replace('{delivery_id}', A_DELIVERY);
    return filled + (query === '' ? '' : `?${query}`);
  });

const path = fc.oneof(
  fc.constantFrom('', '/1', '/events', '/2/deliveries', '/1/test', '/3', '/explain?event=user.created'),
  routePath,
  wildPath,
);

const field = fc.oneof(
  fc.constantFrom<unknown>(HOOK_URL, 'http://127.0.0.1/', ['*'], [], true, null, 'user.*'),
  fc.jsonValue({ maxDepth: 3 }),
);

const moment = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00+25:61',
    '0000-00-00T00:00:00Z',
  ),
);

const INACTIVATION = { method: 'PUT', path: '/1', body: { is_active: false } };

const body = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(JSON.stringify({ url: HOOK_URL }), JSON.stringify({ description: 'x' })),
  fc
    .dictionary(fc.constantFrom('url', 'description', 'events', 'is_active', 'secret', 'constructor'), field)
    .map((value) => JSON.stringify(value)),
  fc
    .record({ since: fc.oneof(moment, field), dry_run: field, more: field }, { requiredKeys: ['since'] })
    .map((value) => JSON.stringify(value)),
  moment.map((since) => JSON.stringify({ since })),
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

/**
 * A request that a route accepts where the state of the webhook lets it, or one that has gone wrong
 * somewhere.
 */
const request: fc.Arbitrary<[string, string, string | Uint8Array<ArrayBuffer> | undefined]> = fc.oneof(
  { arbitrary: fc.tuple(method, path, body), weight: 3 },
  {
    arbitrary: fc
      .constantFrom(...everyRequest(A_DELIVERY), INACTIVATION)
      .map((accepted): [string, string, string | undefined] => [
        accepted.method,
        accepted.path.replace('/1', `/${A_WEBHOOK}`),
        accepted.body === undefined ? undefined : JSON.stringify(accepted.body),
      ]),
    weight: 1,
  },
);

/** Half of the requests get past the door, or nothing behind it would be tried. */
const headers = fc.oneof(fc.constant({}), hostileHeaders);

/** Thousands of requests, on a machine that is busy with other suites. */
const MANY_REQUESTS = { timeout: 240_000 };

describe('the admin API', () => {
  it('answers whatever is asked below 500, and in its own shapes', MANY_REQUESTS, async () => {
    const storage = memoryStorage();
    const webhooks = engineOn(storage);
    const api = createAdminApi(webhooks, { authorize: actorFromHeader });
    const call = caller(api);
    const succeeded = new Set<string>();
    const statuses = new Map<number, number>();
    const prototype = Reflect.ownKeys(Object.prototype).length;

    await fc.assert(
      fc.asyncProperty(request, headers, async ([verb, asked, content], extra) => {
        await keepFilled(webhooks, storage);
        const target = await filled(asked, webhooks);
        const isBodiless = verb === 'GET' || verb === 'HEAD';
        const answer = await call(verb, target, {
          headers: { 'content-type': 'application/json', ...extra },
          ...(content === undefined || isBodiless
            ? {}
            : {
                raw: typeof content === 'string' ? await filled(content, webhooks) : new Uint8Array(content),
              }),
        });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expect(answer.status).toBeLessThan(500);
        if (answer.status < 300) succeeded.add(nameOf(verb, target));
        expect(answer.headers.get('cache-control')).toBe('no-store');
        if (answer.status >= 400 && verb !== 'HEAD') {
          expect(answer.headers.get('content-type')).toBe('application/problem+json');
          expect(answer.json).toMatchObject({
            status: answer.status,
            code: expect.stringMatching(/^[a-z_]+$/),
          });
        }
        const showsSecret = answer.status === 201 || /\/(rotate-secret|openapi\.json)$/.test(target);
        if (!showsSecret) expect(answer.text).not.toMatch(/"whsec_/);
        expect(Reflect.ownKeys(Object.prototype).length).toBe(prototype);
      }),
      { numRuns: 4_000, seed: SEED },
    );

    // A fuzz that never gets past the door proves nothing.
    for (const status of [200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 413, 415, 422]) {
      expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
    }
    expect([...succeeded].sort()).toEqual(expect.arrayContaining(ROUTES.map(({ name }) => name).sort()));
  });

  it('answers hostile bytes over HTTP below 500', MANY_REQUESTS, async () => {
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

/**
 * Keeps three webhooks, and now and then ends what is pending: a delivery that never ends is never
 * sent again.
 */
async function keepFilled(webhooks: Webhooks, storage: WebhookStorage): Promise<void> {
  const { total } = await webhooks.list();
  if (total < 3) await webhooks.create({ url: HOOK_URL });
  if (total % 2 === 0) return;
  await failPending(storage, 100);
}

async function filled(text: string, webhooks: Webhooks): Promise<string> {
  const id = (await webhooks.list({ limit: 1, order: 'asc' })).webhooks[0]?.id ?? 1;
  const [delivery] = (await webhooks.deliveries(id, { limit: 1 })).deliveries;
  const deliveryId = delivery?.deliveryId ?? '0123456789abcdef0123456789abcdef';
  return text.replace(A_WEBHOOK, String(id)).replace(A_DELIVERY, deliveryId);
}

/** The operation that a request reached. */
function nameOf(verb: string, target: string): string {
  const { pathname } = new URL(`http://a${BASE}${target}`);
  const match = createRouter(ROUTES)(pathname.slice(BASE.length));
  return match?.route(verb)?.name ?? `${verb} ${pathname}`;
}

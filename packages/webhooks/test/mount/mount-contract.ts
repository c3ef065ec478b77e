import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { hastenTimers } from '../../../toolkit/test/hastened-timers.ts';
import { exchangeRaw } from '../../../toolkit/test/loopback.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { FetchHandler } from '../../src/answer-request.ts';
import { createAdminPanel } from '../../src/panel/admin-panel.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, actorFromHeader, BASE, engineOn, HOOK_URL, requestInit } from '../admin/admin-harness.ts';
import type { Host } from './hosts.ts';

const json = { 'content-type': 'application/json' };

/** A chunked body without a byte. */
const emptyStream = () => new ReadableStream<Uint8Array>({ pull: (controller) => controller.close() });

async function startApi(host: Host) {
  const webhooks = engineOn(memoryStorage());
  const { fetch, port } = await host.serve(createAdminApi(webhooks, { authorize: actorFromHeader }));
  const call = async (method: string, path: string, options: Parameters<typeof requestInit>[1] = {}) => {
    const target = path.startsWith('!') ? path.slice(1) : BASE + path;
    const response = await fetch(target, requestInit(method, options));
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  return { call, port, webhooks };
}

/** What the admin API promises in every app. */
export function apiContract(host: Host): void {
  it('serves every kind of request', async () => {
    const { call } = await startApi(host);
    const created = await call('POST', '', {
      body: { url: HOOK_URL, description: 'grüße', events: ['user.*'] },
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('content-type')).toBe('application/json');
    expect(created.json).toMatchObject({ id: 1, description: 'grüße', created_by: 42 });
    expect((await call('GET', '?search=gr%C3%BC')).json.total).toBe(1);
    expect((await call('GET', '/events')).json.events.length).toBeGreaterThan(15);
    expect((await call('GET', '/1')).json.stats).toEqual({ total: 0, success: 0, failed: 0, pending: 0 });
    expect((await call('PUT', '/1', { body: { is_active: true } })).status).toBe(200);
    // Clients that always send a body, or name its type.
    for (const options of [{ body: {} }, {}, { headers: json }]) {
      expect((await call('POST', '/1/test', options)).status).toBe(202);
    }
    const tested = await call('POST', '/1/test');
    expect((await call('GET', '/1/deliveries', { headers: json })).json.deliveries).toHaveLength(4);
    const { json: delivery } = await call('GET', `/1/deliveries/${tested.json.delivery_id}`);
    expect(delivery.payload).toMatchObject({ webhook_id: 1 });
    expect((await call('DELETE', '/1')).status).toBe(204);
  });

  it('answers HEAD as GET without a body, and OPTIONS with what is allowed', async () => {
    const { call } = await startApi(host);
    await call('POST', '', { body: { url: HOOK_URL } });
    const [get, head] = [await call('GET', '/1'), await call('HEAD', '/1')];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(get.text.length));
    expect(head.headers.get('content-type')).toBe('application/json');
    expect((await call('HEAD', '/99')).status).toBe(404);
    const options = await call('OPTIONS', '/1');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, PUT, DELETE, OPTIONS']);
  });

  it('refuses what the API refuses', async () => {
    const { call } = await startApi(host);
    expect((await call('GET', '', { actor: null })).status).toBe(401);
    expect((await call('POST', '', { body: { url: HOOK_URL, secret: 'x' } })).status).toBe(422);
    expect((await call('POST', '')).status).toBe(400);
    expect((await call('PUT', '/1', { headers: json })).status).toBe(400);
    expect((await call('PUT', '/1', { headers: json, raw: emptyStream() })).status).toBe(400);
    expect((await call('POST', '', { headers: json, raw: '{' })).status).toBe(400);
    expect((await call('PATCH', '/1')).status).toBe(405);
    expect((await call('GET', '/1/')).status).toBe(404);
    const form = { raw: 'url=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await call('POST', '', form)).status).toBeGreaterThanOrEqual(400);
    const prototype = { raw: `{"url":"${HOOK_URL}","__proto__":{"a":1}}`, headers: json };
    expect((await call('POST', '', prototype)).status).toBe(422);
    const large = { body: { url: HOOK_URL, description: 'x'.repeat(65_536) } };
    expect((await call('POST', '', large)).status).toBe(413);
    const padded = { raw: JSON.stringify({ url: HOOK_URL }).padEnd(70_000), headers: json };
    expect((await call('POST', '', padded)).status).toBe(413);
    const deep = await call('POST', '', { raw: '['.repeat(32_000) + ']'.repeat(32_000), headers: json });
    expect([400, 422]).toContain(deep.status);
    expect((await call('GET', '')).json.total).toBe(0);
  });

  it('leaves every other path to the host', async () => {
    const { call } = await startApi(host);
    for (const path of [
      '/',
      '/api',
      '/api/admin',
      `${BASE}2`,
      `${BASE}/..`,
      BASE.toUpperCase(),
      `/x${BASE}`,
    ]) {
      expect(await call('GET', `!${path}`)).toMatchObject({ status: 404, text: 'the host' });
      expect(await call('POST', `!${path}`)).toMatchObject({ status: 404, text: 'the host' });
    }
  });

  it('passes odd paths below its base on as they are', async () => {
    const { call } = await startApi(host);
    for (const path of ['/%65vents', '//1', '/1%2Ftest', '/a%20b', '/..;/events', '/events/', '/%00']) {
      expect(await call('GET', path)).toMatchObject({ status: 404, json: { code: 'not_found' } });
    }
  });
}

/** What a handler may expect of every app. */
export function handlerContract(host: Host): void {
  const handlerAt = (serve: (request: Request) => Promise<Response>): FetchHandler =>
    Object.assign(serve, { basePath: BASE });

  it('is found at every path where it names none', async () => {
    const { fetch } = await host.serve(async (request) => new Response(new URL(request.url).pathname));
    expect(await (await fetch('/any/where')).text()).toBe('/any/where');
    expect(await (await fetch('/')).text()).toBe('/');
  });

  it('that throws is left to the host', async () => {
    const { fetch } = await host.serve(
      handlerAt(async () => {
        throw new Error('broken');
      }),
    );
    const response = await fetch(BASE);
    expect([response.status, await response.text()]).toEqual([500, 'host: broken']);
  });

  it('streams its answer, each cookie on a line of its own', async () => {
    const chunks = ['one ', 'two ', 'three'];
    const { fetch } = await host.serve(
      handlerAt(async () => {
        const left = chunks.values();
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            const { done, value } = left.next();
            if (done) controller.close();
            else controller.enqueue(new TextEncoder().encode(value));
          },
        });
        return new Response(body, {
          headers: [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
            ['content-type', 'text/plain'],
          ],
        });
      }),
    );
    const response = await fetch(BASE);
    expect(await response.text()).toBe(chunks.join(''));
    expect(response.headers.getSetCookie().filter((line) => !line.startsWith('host='))).toEqual([
      'a=1',
      'b=2',
    ]);
  });

  it('keeps what a middleware before it has set, except what its answer says itself', async () => {
    const before = {
      'set-cookie': 'host=2',
      'cache-control': 'public, max-age=60',
      'content-security-policy': 'default-src *',
      'x-host': 'kept',
    };
    const webhooks = engineOn(memoryStorage());
    const api = createAdminApi(webhooks, { authorize: () => null });
    const panel = createAdminPanel({ apiPath: BASE });
    for (const [handler, target] of [
      [api, BASE],
      [panel, '/admin/webhooks'],
    ] as const) {
      const alone = await handler(new Request(`http://localhost${target}`));
      const { headers } = await (await host.serve(handler, before)).fetch(target);
      for (const name of ['cache-control', 'content-security-policy', 'x-content-type-options']) {
        const own = alone.headers.get(name);
        expect([name, headers.get(name)]).toEqual([name, own ?? before[name as keyof typeof before]]);
      }
      expect(headers.get('cache-control')).not.toBe(before['cache-control']);
      expect(headers.get('x-host')).toBe('kept');
      expect(headers.getSetCookie()).toContain('host=2');
    }
  });

  it('answers with the status it chose, bodiless ones too', async () => {
    const { fetch } = await host.serve(
      handlerAt(
        async (request) => new Response(null, { status: Number(new URL(request.url).searchParams.get('s')) }),
      ),
    );
    for (const status of [204, 304, 404, 418, 503]) {
      const response = await fetch(`${BASE}?s=${status}`);
      expect([response.status, await response.text()]).toEqual([status, '']);
    }
  });

  it('reads the bytes that the client sent', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => (n * 7) % 256);
    const { fetch } = await host.serve(
      handlerAt(async (request) => new Response(await request.arrayBuffer())),
    );
    for (const type of [
      'application/octet-stream',
      'application/json',
      'nonsense/x',
      'multipart/form-data',
    ]) {
      const response = await fetch(`${BASE}/x`, {
        method: 'PUT',
        body: bytes,
        headers: { 'content-type': type },
      });
      // Vitest compares arrays of this length for half a second each.
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });
}

const ODD_REQUESTS = [
  'GET //evil.example/api/admin/webhooks HTTP/1.1\r\nHost: a',
  `GET http://evil.example${BASE} HTTP/1.1\r\nHost: a`,
  `GET ${BASE}/%zz HTTP/1.1\r\nHost: a`,
  `GET ${BASE}/%2e%2e%2fevents HTTP/1.1\r\nHost: a`,
  `GET ${BASE}?%zz=%zz HTTP/1.1\r\nHost: a`,
  `GET ${BASE} HTTP/1.1\r\nHost: a/b@c`,
  `GET ${BASE} HTTP/1.1\r\nHost: [::`,
  `PROPFIND ${BASE} HTTP/1.1\r\nHost: a`,
  `POST ${BASE} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Type: \xff`,
];

/**
 * What a client on a socket may expect. What becomes of a socket is up to the server: older releases
 * of node-server keep less of this.
 */
export function clientContract(host: Host): void {
  const HEAD = `POST ${BASE} HTTP/1.1\r\nHost: a\r\nX-Actor: ${JSON.stringify(ADMIN)}\r\nContent-Type: application/json`;

  it('that leaves aborts the request, and ends the answer', async () => {
    const ended: string[] = [];
    const { port } = await host.serve(async (request) => {
      request.signal.addEventListener('abort', () => ended.push('signal'));
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
        cancel: () => void ended.push('body'),
      });
      return new Response(body);
    });
    const socket = connect(port ?? 0, '127.0.0.1');
    socket.write(`GET ${BASE} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(socket, 'data');
    socket.destroy();
    await expect.poll(() => ended.sort()).toEqual(['body', 'signal']);
  });

  it('that leaves in the middle of its body changes nothing', async () => {
    const { port, webhooks } = await startApi(host);
    const body = JSON.stringify({ url: HOOK_URL });
    const socket = connect(port ?? 0, '127.0.0.1');
    socket.on('error', () => {});
    socket.end(`${HEAD}\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`);
    socket.resume();
    await once(socket, 'close');
    expect((await webhooks.list()).total).toBe(0);
  });

  it('that goes on sending still reads its refusal', async () => {
    const { call } = await startApi(host);
    const body = JSON.stringify({ url: HOOK_URL, description: 'x'.repeat(3_000_000) });
    // The second has no Content-Length: it is counted as it arrives.
    for (const raw of [body, new Blob([body]).stream()]) {
      const answer = await call('POST', '', { raw, headers: json });
      expect(answer).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
    }
  });

  it('is refused before a large body has arrived, and then cut off', async () => {
    const { port } = await startApi(host);
    const ranMs = hastenTimers();
    const socket = connect(port ?? 0, '127.0.0.1');
    const closed = once(socket, 'close');
    // Nothing of the body is ever sent.
    socket.write(`${HEAD}\r\nContent-Length: 1000000000\r\n\r\n`);
    const [data] = await once(socket, 'data');
    expect(String(data)).toMatch(/^HTTP\/1\.1 413 /);
    // Nor may it hold the connection for ever.
    const answeredAtMs = ranMs();
    await closed;
    expect(ranMs() - answeredAtMs).toBeLessThan(2_000);
  });

  it('is answered below 500 whatever it sends', async () => {
    const { port } = await startApi(host);
    for (const head of ODD_REQUESTS) {
      const answer = await exchangeRaw(port ?? 0, `${head}\r\nConnection: close\r\n\r\n`);
      expect([head, answer]).toEqual([head, expect.stringMatching(/^HTTP\/1\.1 [234]\d\d /)]);
    }
  });
}

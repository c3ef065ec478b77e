import { expect, it } from 'vitest';
import type { FetchHandler } from '../../src/http/fetch-handler.ts';
import type { Framework, Mount } from './framework.ts';
import { problemOf } from './guard-harness.ts';
import { cookiesOfOurs, expectOursToWin, OF_THE_HOST, OURS } from './headers-before.ts';
import { echo, echoed, type ServeHandlerOptions, serveHandler } from './serve-handler.ts';

const MAX_BODY_BYTES = 65_536;
const json = { 'content-type': 'application/json' };

/** What a framework, and what else touches a request or an answer, has to leave of a mounted handler's. */
export function mountAnswerContract<G>(framework: Framework<G>, prefix: string, at: Mount['at']): void {
  const base = `${prefix}/auth`;
  const serve = (handler: FetchHandler, options?: ServeHandlerOptions) =>
    serveHandler(framework, { prefix, at }, handler, options);

  it('serves what lies below its path, under the URL that the client asked for', async () => {
    const { fetch } = await serve(echo);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(`${base}/sessions?a=%20b`, { method });
      const { url, ...rest } = await echoed(response);
      expect(rest).toEqual({ method, body: '' });
      expect(new URL(url).pathname + new URL(url).search).toBe(`${base}/sessions?a=%20b`);
    }
    expect(await (await fetch(base)).json()).toMatchObject({ method: 'GET' });
    const head = await fetch(`${base}/sessions`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it.each([false, true])('hands over a body, after a body parser: %s', async (afterBodyParser) => {
    const { fetch } = await serve(echo, { afterBodyParser });
    const body = JSON.stringify({ login: 'grüße', password: '\u{1F511}' });
    const response = await fetch(`${base}/login`, { method: 'POST', headers: json, body });
    expect((await echoed(response)).body).toBe(body);
    const empty = await fetch(`${base}/login`, { method: 'POST' });
    expect((await echoed(empty)).body).toBe('');
  });

  it('hands over a body of any type, and of none', async () => {
    const { fetch } = await serve(echo);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png']) {
      const init = { method: 'POST', headers: { 'content-type': type }, body: 'a=b&c' };
      expect((await echoed(await fetch(`${base}/login`, init))).body).toBe('a=b&c');
    }
    const untyped = { method: 'DELETE', body: new Uint8Array([97]) };
    expect((await echoed(await fetch(`${base}/login`, untyped))).body).toBe('a');
  });

  it.each([false, true])(
    'answers 413 to a body that is too long, after a body parser: %s',
    async (parsed) => {
      let asked = 0;
      let completed = 0;
      const reading: FetchHandler = async (request) => {
        asked += 1;
        await request.text();
        completed += 1;
        return new Response();
      };
      const { fetch, port } = await serve(reading, { afterBodyParser: parsed });
      const text = JSON.stringify({ password: 'x'.repeat(MAX_BODY_BYTES) });
      const padded = JSON.stringify({ password: 'x' }).padEnd(MAX_BODY_BYTES + 1);
      // The last declares no length: it is counted as it arrives.
      for (const body of [text, padded, new Blob([text]).stream()]) {
        const init: RequestInit = { method: 'POST', headers: json, body, duplex: 'half' };
        const response = await fetch(`${base}/login`, init);
        expect(response.status).toBe(413);
        expect((await problemOf(response)).code).toBe('body_too_large');
        // Where the length is declared, as on every socket, and nobody has read the body, the
        // handler is not asked.
        if (body === text && !parsed && port !== undefined) expect(asked).toBe(0);
      }
      expect(completed).toBe(0);
      const longest = { method: 'POST', headers: json, body: JSON.stringify('x'.repeat(MAX_BODY_BYTES - 2)) };
      if (!parsed) expect((await fetch(`${base}/login`, longest)).status).toBe(200);
    },
  );

  it('sends every cookie on a line of its own', async () => {
    const { fetch } = await serve(async () => {
      const headers = new Headers({ 'x-a': 'b' });
      headers.append('set-cookie', 'access_token=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
      headers.append('set-cookie', 'refresh_token=b; Path=/api');
      return new Response(null, { status: 204, headers });
    });
    const response = await fetch(`${base}/logout`, { method: 'POST' });
    expect(response.status).toBe(204);
    expect(cookiesOfOurs(response)).toEqual([
      'access_token=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'refresh_token=b; Path=/api',
    ]);
    expect(response.headers.get('x-a')).toBe('b');
  });

  it('sends headers that were set after the response was made', async () => {
    const { fetch } = await serve(async () => {
      const response = Response.json({ made: 'first' });
      response.headers.append('set-cookie', 'late=1');
      response.headers.append('set-cookie', 'later=2');
      response.headers.set('x-late', '3');
      return response;
    });
    const response = await fetch(`${base}/login`, { method: 'POST' });
    expect(cookiesOfOurs(response)).toEqual(['late=1', 'later=2']);
    expect(response.headers.get('x-late')).toBe('3');
    expect(await response.json()).toEqual({ made: 'first' });
  });

  it('keeps what a middleware before it has set, except what its answer says itself', async () => {
    const answers: FetchHandler[] = [
      async () => Response.json({}, { headers: OURS }),
      async () => new Response(null, { status: 204, headers: OURS }),
    ];
    for (const handler of answers) {
      const { fetch } = await serve(handler, { before: OF_THE_HOST });
      expectOursToWin(await fetch(`${base}/login`, { method: 'POST' }));
    }
    const { fetch } = await serve(async (request) => new Response(await request.text()), {
      before: OF_THE_HOST,
    });
    const body = 'x'.repeat(MAX_BODY_BYTES + 1);
    const refused = await fetch(`${base}/login`, { method: 'POST', body });
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([413, 'no-store']);
    expect(refused.headers.getSetCookie()).toContain(OF_THE_HOST['set-cookie']);
  });

  it('leaves the error of a handler to the host', async () => {
    const { fetch } = await serve(async () => {
      throw new Error('broken');
    });
    expect((await fetch(`${base}/login`)).status).toBe(500);
  });
}

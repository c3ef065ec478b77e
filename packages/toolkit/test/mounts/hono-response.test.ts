import { Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, it } from 'vitest';
import { answerInHono } from '../../src/mounts/hono-response.ts';

const BEFORE: MiddlewareHandler = async (c, next) => {
  c.header('Vary', 'Origin');
  c.header('Content-Type', 'text/plain');
  c.header('Set-Cookie', 'host=1', { append: true });
  await next();
  c.header('X-After', '1');
};
const TOUCH: MiddlewareHandler = async (c, next) => {
  c.res.headers.set('x-touched', '1');
  await next();
};

describe.each([
  ['has set headers', [BEFORE]],
  ['has set headers and touched the answer', [BEFORE, TOUCH]],
])('an answer in Hono behind a middleware that %s', (_, before) => {
  const answer = (response: () => Response) =>
    new Hono()
      .use(...before)
      .get('/', (c) => answerInHono(c, response()))
      .request('/');

  it('varies by what either says, and has the cookies of both', async () => {
    const headers = [
      ['vary', 'Accept-Encoding'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ] satisfies [string, string][];
    const answered = await answer(() => new Response('text', { status: 201, headers }));
    expect([answered.status, await answered.text()]).toEqual([201, 'text']);
    expect(answered.headers.get('vary')).toBe('Origin, Accept-Encoding');
    expect(answered.headers.getSetCookie()).toEqual(['host=1', 'a=1', 'b=2']);
    expect(answered.headers.get('x-after')).toBe('1');
  });

  it('has no content type where there is no content', async () => {
    const answered = await answer(() => new Response(null, { status: 204 }));
    expect([answered.status, answered.headers.get('content-type')]).toEqual([204, null]);
  });
});

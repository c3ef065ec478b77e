import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, it } from 'vitest';
import { ConsumedBodyError } from '../../src/consumed-body.ts';
import { readableRequest } from '../../src/mounts/hono-request.ts';

const BODY = '{ "a": "ü" }';
const HEADERS = { 'content-type': 'application/json', 'content-length': '99', 'x-a': 'b' };

/** The request that a handler gets after a middleware. */
async function requestAfter(middleware: MiddlewareHandler): Promise<{ raw: Request; readable: Request }> {
  const seen: { raw: Request; readable: Request }[] = [];
  const app = new Hono().use(middleware).all('*', async (c) => {
    const readable = await readableRequest(c.req);
    seen.push({ raw: c.req.raw, readable });
    return c.text('');
  });
  await app.request('/path?x=1', { method: 'PUT', body: BODY, headers: HEADERS });
  const [first] = seen;
  if (first === undefined) throw new Error('the handler was not reached');
  return first;
}

function reading(read: (c: Context) => Promise<unknown>): MiddlewareHandler {
  return async (c, next) => {
    await read(c);
    await next();
  };
}

describe('the request of Hono', () => {
  it.each<['json' | 'text' | 'arrayBuffer']>([['json'], ['text'], ['arrayBuffer']])(
    'has its body again after c.req.%s(), without the headers of its bytes',
    async (reader) => {
      const { readable } = await requestAfter(reading((c) => c.req[reader]()));
      expect(readable).toMatchObject({ method: 'PUT', url: 'http://localhost/path?x=1' });
      const headers = Object.fromEntries(readable.headers);
      expect(headers).toEqual({ 'content-type': 'application/json', 'x-a': 'b' });
      expect(JSON.parse(await readable.text())).toEqual(JSON.parse(BODY));
    },
  );

  it('fails to be read where its body was read without Hono', async () => {
    const { readable } = await requestAfter(reading((c) => c.req.raw.text()));
    await expect(readable.text()).rejects.toThrow(ConsumedBodyError);
  });

  it('fails to be read as it failed before, where the body broke off in a reader of Hono', async () => {
    const app = new Hono().all('*', async (c) => {
      await c.req.text().catch(() => {});
      const readable = await readableRequest(c.req);
      return c.text(await readable.text().catch((error) => error.message));
    });
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('broken off'));
      },
    });
    const response = await app.request('/', { method: 'POST', body, ...{ duplex: 'half' } });
    expect(await response.text()).toBe('broken off');
  });
});

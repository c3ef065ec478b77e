import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { mountSessions } from '../../src/hono/mount-sessions.ts';

describe('mountSessions in Hono', () => {
  it('refuses an option that does not exist', () => {
    const misspelt = { clientAddress: () => '192.0.2.1' } as object;
    expect(() => mountSessions(async () => new Response(), misspelt)).toThrow(
      new TypeError('mountSessions has no option "clientAddress"'),
    );
  });

  it('asks the host for the address where there is no socket', async () => {
    const sessions = {
      handler: async (_: Request, { ip }: { ip?: string | undefined }) => Response.json({ ip }),
    };
    const clientIp = { clientIp: () => '192.0.2.1' };
    const known = new Hono().use(mountSessions(sessions, clientIp));
    expect(await (await known.request('/')).json()).toEqual({ ip: '192.0.2.1' });
    const unknown = new Hono().use(mountSessions(sessions));
    expect(await (await unknown.request('/')).json()).toEqual({});
  });

  it('gives the host an error that names the cause when something has read the body past Hono', async () => {
    const app = new Hono();
    app.use(async (c, next) => {
      await c.req.raw.text();
      await next();
    });
    const errors: Error[] = [];
    app.onError((error, c) => {
      errors.push(error);
      return c.text('failed', 500);
    });
    app.use(mountSessions(async (request) => new Response(await request.text())));
    const response = await app.request('/', { method: 'POST', body: 'x' });
    expect(response.status).toBe(500);
    expect(errors).toMatchObject([{ message: expect.stringMatching(/^The body has been read already/) }]);
  });
});

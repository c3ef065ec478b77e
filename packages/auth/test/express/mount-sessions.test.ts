import express from 'express';
import { describe, expect, it } from 'vitest';
import { express4 } from '../../../toolkit/test/framework-hosts.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { mountSessions } from '../../src/express/mount-sessions.ts';
import { requireAuth as requireInFetch } from '../../src/fetch/guards.ts';
import { mountSessions as mountInFetch } from '../../src/fetch/mount-sessions.ts';
import { sessionHost } from '../sessions/session-host.ts';

describe('mountSessions in Express', () => {
  it.each([
    ['4', express4],
    ['5', express],
  ])('is missed by an error, not by a request that hangs, in Express %s', async (_, from) => {
    const { sessions, auth } = sessionHost({});
    const wrong = [sessions.handler, mountInFetch(sessions), requireInFetch(auth)];
    for (const handler of wrong) {
      const app = from().use(handler as never);
      app.use(((error, _request, response, _next) => {
        response.status(500).send(error.message);
      }) as express.ErrorRequestHandler);
      const { origin } = await listen(app);
      const response = await fetch(origin, { signal: AbortSignal.timeout(5_000) });
      expect([response.status, await response.text()]).toEqual([
        500,
        expect.stringMatching(/of the Web|Web requests/),
      ]);
    }
  });

  it('tells the address by the setting of the app for proxies', async () => {
    const app = express().set('trust proxy', 'loopback');
    app.use(mountSessions(async (_request, { ip }) => Response.json({ ip })));
    const { origin } = await listen(app);
    const response = await fetch(origin, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(await response.json()).toEqual({ ip: '192.0.2.1' });
  });

  it('sees the headers as the middleware before it left them, and keeps its cookies', async () => {
    const app = express().use((request, response, next) => {
      delete request.headers['x-user'];
      request.headers.authorization = 'Bearer changed';
      response.setHeader('set-cookie', 'locale=de');
      next();
    });
    app.use(
      mountSessions(async ({ headers }) => {
        return Response.json(Object.fromEntries(headers), { headers: { 'set-cookie': 'access_token=' } });
      }),
    );
    const { origin } = await listen(app);
    const sent = { 'x-user': 'root', authorization: 'Bearer sent' };
    const response = await fetch(origin, { headers: sent });
    expect(response.headers.getSetCookie()).toEqual(['locale=de', 'access_token=']);
    const seen = await response.json();
    expect(seen).toMatchObject({ authorization: 'Bearer changed' });
    expect(seen).not.toHaveProperty('x-user');
  });
});

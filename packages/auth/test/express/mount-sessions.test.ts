import express from 'express';
import { describe, expect, it } from 'vitest';
import { expectMissedByExpress } from '../../../toolkit/test/framework-hosts.ts';
import { listen } from '../../../toolkit/test/loopback.ts';
import { mountSessions } from '../../src/express/mount-sessions.ts';
import { requireAuth as requireInFetch } from '../../src/fetch/guards.ts';
import { mountSessions as mountInFetch } from '../../src/fetch/mount-sessions.ts';
import { sessionHost } from '../sessions/session-host.ts';

describe('mountSessions in Express', () => {
  it('is missed by an error, not by a request that hangs', async () => {
    const { sessions, auth } = sessionHost({});
    await expectMissedByExpress(sessions.handler, /of the Web/);
    for (const handler of [mountInFetch(sessions), requireInFetch(auth)]) {
      await expectMissedByExpress(handler, /Web requests/);
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

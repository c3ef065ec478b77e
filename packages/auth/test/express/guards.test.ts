import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { listen } from '../../../toolkit/test/loopback.ts';
import { type Guard, requireAuth, requireScope } from '../../src/express/guards.ts';
import type { mountSessions } from '../../src/express/mount-sessions.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { cookies, createGuardHarness } from '../guards/guard-harness.ts';
import { forgeToken } from '../tokens/forge-token.ts';

const answerAsText: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(500).send(String(error));
};

describe('a guard in Express', () => {
  it('hands the error of a later handler to Express, and not to itself', async () => {
    const app = express();
    app.get('/x', requireAuth(createGuardHarness().auth), () => {
      throw new Error('of the handler');
    });
    const { origin } = await listen(app.use(answerAsText));
    const response = await fetch(`${origin}/x`, { headers: cookies(forgeToken()) });
    expect([response.status, await response.text()]).toEqual([500, 'Error: of the handler']);
  });

  it('hands an answer that something else has begun to the error handler, never to the route', async () => {
    const app = express();
    const reached: string[] = [];
    const begin: RequestHandler = (_request, response, next) => {
      response.write('begun');
      next();
    };
    app.get('/x', begin, requireAuth(createGuardHarness().auth), () => void reached.push('/x'));
    app.use(((error, _request, response, _next) => {
      response.end(String(error.code));
    }) satisfies ErrorRequestHandler);
    const { origin } = await listen(app);
    expect(await (await fetch(`${origin}/x`)).text()).toBe('begunERR_HTTP_HEADERS_SENT');
    expect(reached).toEqual([]);
  });

  it('calls next once, even where that throws', async () => {
    const calls: unknown[] = [];
    const guard = requireAuth(createGuardHarness().auth);
    const { origin } = await listen((request, response) => {
      guard(request, response, (error) => {
        calls.push(error);
        response.end();
        if (calls.length === 1) throw new Error('of the next');
      });
    });
    // It is the host's to catch, as what any of its callbacks throws: here by the process, and not
    // by the test's runner.
    const listeners = process.rawListeners('unhandledRejection') as NodeJS.UnhandledRejectionListener[];
    process.removeAllListeners('unhandledRejection');
    onTestFinished(() => {
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    });
    const thrown = new Promise((resolve) => process.once('unhandledRejection', resolve));
    await fetch(origin, { headers: cookies(forgeToken()) });
    expect(calls).toEqual([undefined]);
    expect(String(await thrown)).toBe('Error: of the next');
  });

  it('guards routers, parameters and what is mounted below', async () => {
    const { auth } = createGuardHarness();
    const below = express.Router();
    below.get('/:id', requireScope('admin'), (request, response) => {
      response.json({ id: request.params.id, uid: claimsOf(request).uid });
    });
    const app = express().use('/api', express().use('/admin', requireAuth(auth), below));
    const { origin } = await listen(app);
    expect((await fetch(`${origin}/api/admin/7`)).status).toBe(401);
    const response = await fetch(`${origin}/api/admin/7`, { headers: cookies(forgeToken()) });
    expect(await response.json()).toEqual({ id: '7', uid: '42' });
  });

  it('fits Express without a cast', () => {
    expectTypeOf<Guard>().toExtend<RequestHandler>();
    expectTypeOf<ReturnType<typeof mountSessions>>().toExtend<RequestHandler>();
  });
});

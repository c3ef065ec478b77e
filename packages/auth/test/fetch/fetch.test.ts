import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { authErrorHandler } from '../../src/fetch/auth-error-handler.ts';
import { requireAuth, requireScope } from '../../src/fetch/guards.ts';
import { mountSessions } from '../../src/fetch/mount-sessions.ts';
import { guarded, type Wrapper } from '../../src/fetch/wrapper.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { forgeToken } from '../forge-token.ts';
import { cookies, setStage } from '../guards/stage.ts';

const authenticated = () => new Request('http://localhost/x', { headers: cookies(forgeToken()) });

describe('a guard around a fetch handler', () => {
  it('hands on what the runtime passes beside the request, and the request itself', async () => {
    const request = authenticated();
    const route = requireAuth(setStage().auth)((seen, env: { greeting: string }, context: string) => {
      return Response.json([seen === request, env.greeting, context, claimsOf(seen).uid]);
    });
    expect(await (await route(request, { greeting: 'hello' }, 'ctx')).json()).toEqual([
      true,
      'hello',
      'ctx',
      '42',
    ]);
  });

  it('does not take a copy of a request for an authenticated one', async () => {
    const inner = requireScope('admin')(() => new Response('reached'));
    const route = requireAuth(setStage().auth)((request) => inner(new Request(request)));
    expect((await route(authenticated())).status).toBe(401);
  });

  it('lets nobody pass on a request that cannot carry claims', async () => {
    const route = requireAuth(setStage().auth)(() => new Response('reached'));
    expect((await route(Object.freeze(authenticated()))).status).toBe(503);
  });
});

describe('guarded', () => {
  it('asks the first guard first, and the handler last', async () => {
    const order: string[] = [];
    const noting =
      (name: string): Wrapper =>
      (handler) =>
      async (request, ...rest) => {
        order.push(name);
        return await handler(request, ...rest);
      };
    await guarded([noting('first'), noting('second')], () => {
      order.push('handler');
      return new Response();
    })(authenticated());
    expect(order).toEqual(['first', 'second', 'handler']);
  });

  it('is the handler where there is no guard', async () => {
    expect(await (await guarded([], () => new Response('x'))(authenticated())).text()).toBe('x');
  });
});

describe('authErrorHandler', () => {
  it('answers what is thrown at once and later, and throws on what is not ours', async () => {
    const fail = authErrorHandler()((_request, error: Error, later: boolean) => {
      if (later) return Promise.reject(error);
      throw error;
    });
    const busy = new AuthError('hashing_busy', 'x');
    for (const later of [true, false]) {
      expect((await fail(authenticated(), busy, later)).status).toBe(503);
      await expect(fail(authenticated(), new Error('other'), later)).rejects.toThrow('other');
    }
  });
});

describe('mountSessions', () => {
  it('refuses an option that does not exist', () => {
    const misspelt = { clientIP: () => '192.0.2.1' } as object;
    expect(() => mountSessions(async () => new Response(), misspelt)).toThrow(
      new TypeError('mountSessions has no option "clientIP"'),
    );
  });

  it('hands every other path to the application, arguments and all', async () => {
    const sessions = { handler: async () => new Response('sessions'), basePath: '/auth' };
    const app = mountSessions(sessions)((_request, env: { name: string }) => new Response(env.name));
    const ask = async (path: string) =>
      await (await app(new Request(`http://localhost${path}`), { name: 'app' })).text();
    expect([await ask('/auth/login'), await ask('/auth'), await ask('/authx')]).toEqual([
      'sessions',
      'sessions',
      'app',
    ]);
  });
});

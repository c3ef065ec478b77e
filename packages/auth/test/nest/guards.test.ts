import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { requireAuth, requireScope } from '../../src/nest/guards.ts';
import { cookies, createGuardHarness, problemOf } from '../guards/guard-harness.ts';
import { forgeToken } from '../tokens/forge-token.ts';
import { ask, CREATE } from './throwing-route.ts';

describe.each(CREATE)('a guard of Nest over %s', (_, create) => {
  const reached = new AuthError('hashing_busy', 'The handler was reached');

  it('lets nobody reach the handler without the cookie or the scope', async () => {
    const { auth } = createGuardHarness();
    for (const [guard, code, status] of [
      [requireAuth(auth), 'token_missing', 401],
      [requireScope('admin'), 'token_missing', 401],
    ] as const) {
      const response = await ask(create, reached, { guards: [guard] });
      expect(response.status).toBe(status);
      expect((await problemOf(response)).code).toBe(code);
    }
    const headers = cookies(forgeToken());
    const guards = [requireAuth(auth), requireScope('other')];
    expect((await ask(create, reached, { guards, headers })).status).toBe(403);
  });

  it('lets a request with the cookie and the scope through to the handler', async () => {
    const { auth } = createGuardHarness();
    const guards = [requireAuth(auth), requireScope('admin')];
    const response = await ask(create, reached, { guards, headers: cookies(forgeToken()) });
    expect((await problemOf(response)).code).toBe('hashing_busy');
  });
});

describe('the guards of Nest', () => {
  it('need an instance when the route is set up', () => {
    // @ts-expect-error A guard without an instance does not compile.
    expect(() => requireAuth()).toThrow(TypeError);
  });
});

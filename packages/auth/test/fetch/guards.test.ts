import { describe, expect, it } from 'vitest';
import { requireAuth, requireScope } from '../../src/fetch/guards.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { cookies, createGuardHarness } from '../guards/guard-harness.ts';
import { forgeToken } from '../tokens/forge-token.ts';

const authenticated = () => new Request('http://localhost/x', { headers: cookies(forgeToken()) });

describe('a guard around a fetch handler', () => {
  it('hands on what the runtime passes beside the request, and the request itself', async () => {
    const request = authenticated();
    const route = requireAuth(createGuardHarness().auth)(
      (seen, env: { greeting: string }, context: string) => {
        return Response.json([seen === request, env.greeting, context, claimsOf(seen).uid]);
      },
    );
    expect(await (await route(request, { greeting: 'hello' }, 'ctx')).json()).toEqual([
      true,
      'hello',
      'ctx',
      '42',
    ]);
  });

  it('does not take a copy of a request for an authenticated one', async () => {
    const inner = requireScope('admin')(() => new Response('reached'));
    const route = requireAuth(createGuardHarness().auth)((request) => inner(new Request(request)));
    expect((await route(authenticated())).status).toBe(401);
  });

  it('lets nobody pass on a request that cannot carry claims', async () => {
    const route = requireAuth(createGuardHarness().auth)(() => new Response('reached'));
    expect((await route(Object.freeze(authenticated()))).status).toBe(503);
  });
});

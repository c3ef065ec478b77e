import express from 'express';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Auth, createAuth, type ScopeOf } from '../../src/auth.ts';
import type { Claims } from '../../src/claims.ts';
import { requireAuth, requireSameOrigin, requireScope } from '../../src/express/guards.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { KEY } from '../tokens/forge-token.ts';

const auth = createAuth<'admin' | 'admin:webhooks'>({ signingKey: KEY });
const untyped = createAuth({ signingKey: KEY });

/** Checked by `tsc`: each `@ts-expect-error` fails the type check when the error is gone. */
describe('the scopes of an instance as a type', () => {
  it('make a misspelt scope a compile error', () => {
    requireScope<typeof auth>('admin:webhooks');
    // @ts-expect-error: no such scope
    requireScope<typeof auth>('admin:webhoks');
    // @ts-expect-error: no such scope
    void auth.issueAccessToken('42', ['root']);
    async (): Promise<boolean> => {
      const claims = await auth.validateAccessToken('');
      // @ts-expect-error: no such scope
      return claims.hasScope('root') || claims.hasScope('admin');
    };
    expectTypeOf<ScopeOf<typeof auth>>().toEqualTypeOf<'admin' | 'admin:webhooks'>();
  });

  it('are read off a list in the options, at compile time and at run time', () => {
    const listed = createAuth({ signingKey: KEY, scopes: ['orders:read', 'orders:write'] });
    expectTypeOf<ScopeOf<typeof listed>>().toEqualTypeOf<'orders:read' | 'orders:write'>();
    requireScope(listed, 'orders:read');
    // @ts-expect-error: no such scope
    expect(() => requireScope(listed, 'orders:raed')).toThrow(/orders:read, orders:write/);
    // @ts-expect-error: no such scope
    requireScope(auth, 'orders:read');
    // A list whose members are not known before run time says nothing at compile time.
    const fromFile: string[] = JSON.parse('["orders:read"]');
    const loaded = createAuth({ signingKey: KEY, scopes: fromFile });
    expect(() => requireScope(loaded, 'orders:raed')).toThrow(TypeError);
  });

  it('are any text where they are not declared', () => {
    requireScope('anything');
    requireScope<typeof untyped>('anything');
    expectTypeOf<ScopeOf<typeof untyped>>().toEqualTypeOf<string>();
  });

  it('let a typed instance be used wherever an instance is asked for', () => {
    const general: Auth = auth;
    expect(general.stats()).toEqual({ issued: expect.any(Number), accepted: 0, rejected: 0 });
    requireAuth(auth);
    requireSameOrigin(auth);
  });

  it('leave the types of an Express route as they are', () => {
    const app = express();
    app.use(requireAuth(auth));
    app.get('/users/:id', requireAuth(auth), requireScope<typeof auth>('admin'), (request, response) => {
      expectTypeOf(request.params.id).toEqualTypeOf<string>();
      const claims = claimsOf<ScopeOf<typeof auth>>(request);
      expectTypeOf(claims).toEqualTypeOf<Claims<'admin' | 'admin:webhooks'>>();
      response.json(claims);
    });
    express.Router().post('/x', requireSameOrigin(auth));
    expect(app.router.stack).toHaveLength(2);
  });
});

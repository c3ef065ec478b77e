import { describe, expect, it } from 'vitest';
import { HONO } from '../../../toolkit/test/hono-hosts.ts';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { Claims } from '../../src/claims.ts';
import type { Wrapper } from '../../src/fetch/guarded.ts';
import { setClaims as setHonoClaims } from '../../src/hono/set-claims.ts';
import { claimsOf, setClaims } from '../../src/http/request-claims.ts';
import { onExpress4, onExpress5 } from '../guards/express-framework.ts';
import { onFastify } from '../guards/fastify-framework.ts';
import { onFetch } from '../guards/fetch-framework.ts';
import type { Framework } from '../guards/framework.ts';
import { cookies, createGuardHarness } from '../guards/guard-harness.ts';
import { onHono } from '../guards/hono-framework.ts';
import { onNestOverExpress, onNestOverFastify } from '../guards/nest-framework.ts';
import { forgeToken } from '../tokens/forge-token.ts';

const ADA = new Claims({ uid: '7', scopes: ['admin'] });

function ownGuardContract<G>(framework: Framework<G>, ownGuard: G): void {
  async function ask(guards: readonly G[], init?: RequestInit) {
    const routes = [{ path: '/x', guards, answer: (claims: () => Claims) => ({ uid: claims().uid }) }];
    const response = await (await framework.start({ prefix: '', routes })).fetch('/x', init);
    return response.status === 200 ? await response.json() : response.status;
  }

  it('gives claimsOf and requireScope the claims that a guard of your own has set', async () => {
    expect(await ask([ownGuard])).toEqual({ uid: '7' });
    expect(await ask([ownGuard, framework.requireScope('admin')])).toEqual({ uid: '7' });
    expect(await ask([ownGuard, framework.requireScope('root')])).toBe(403);
    expect(await ask([])).toBe(401);
  });

  it('opens no other guard, and gives way to the claims of one that runs afterwards', async () => {
    const guards = [ownGuard, framework.requireAuth(createGuardHarness().auth)];
    expect(await ask(guards)).toBe(401);
    expect(await ask(guards, { headers: cookies(forgeToken()) })).toEqual({ uid: '42' });
  });
}

const nestGuard = {
  async canActivate(context: { switchToHttp(): { getRequest(): object } }): Promise<true> {
    setClaims(context.switchToHttp().getRequest(), ADA);
    return true;
  },
};
const nodeGuard = (request: object, _response: unknown, next: () => void) => {
  setClaims(request, ADA);
  next();
};

const fetchGuard: Wrapper =
  (handler) =>
  async (request, ...rest) => {
    setClaims(request, ADA);
    return await handler(request, ...rest);
  };

describe.each([
  ['Express 4', () => ownGuardContract(onExpress4, nodeGuard)],
  ['Express 5', () => ownGuardContract(onExpress5, nodeGuard)],
  ['Fastify', () => ownGuardContract(onFastify, nodeGuard)],
  [
    'Hono',
    () =>
      ownGuardContract(onHono(HONO), async (c, next) => {
        setHonoClaims(c, ADA);
        expect(c.get('claims')).toBe(ADA);
        await next();
      }),
  ],
  ['fetch', () => ownGuardContract(onFetch, fetchGuard)],
  ['Nest over Express', () => ownGuardContract(onNestOverExpress, nestGuard)],
  ['Nest over Fastify', () => ownGuardContract(onNestOverFastify, nestGuard)],
] as const)('setClaims in %s', (_, contract) => contract());

describe('setClaims', () => {
  inOneTest([
    ['a body that looks like claims', JSON.parse('{"uid":"7","scopes":["admin"]}')],
    ['nothing', undefined],
    ['a text', '7'],
  ])('refuses %s', (_, claims) => {
    const request = {};
    expect(() => setClaims(request, claims)).toThrow(TypeError);
    expect(() => claimsOf(request)).toThrow('No guard has authenticated this request');
  });
});

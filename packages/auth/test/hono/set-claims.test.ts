import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { Claims } from '../../src/claims.ts';
import { type AuthEnv, requireScope } from '../../src/hono/guards.ts';
import { setClaims } from '../../src/hono/set-claims.ts';
import { claimsOf } from '../../src/http/request-claims.ts';

function appOf(...given: object[]) {
  const app = new Hono();
  app.use(async (c, next) => {
    for (const claims of given) setClaims(c, claims as Claims);
    await next();
  });
  app.onError((error, c) => c.text(error.constructor.name, 500));
  app.get('/x', requireScope('admin'), (c) =>
    c.json({ uid: claimsOf(c).uid, same: claimsOf(c) === c.get('claims' as never) }),
  );
  return app;
}

it('takes the context of an app that declares what guards add', async () => {
  const app = new Hono<AuthEnv<'admin'>>();
  app.use(async (c, next) => {
    setClaims(c, new Claims({ uid: '7', scopes: ['admin'] }));
    await next();
  });
  app.get('/x', requireScope('admin'), (c) => c.text(c.var.claims.uid));
  const response = await app.request('/x');
  expect(await response.text()).toBe('7');
});

it('refuses what only looks like claims', async () => {
  const response = await appOf({ uid: '7', scopes: ['admin'], hasScope: () => true }).request('/x');
  expect(response.status).toBe(500);
  expect(await response.text()).toBe('TypeError');
});
it('replaces the claims of an earlier guard', async () => {
  const [first, second] = ['7', '8'].map((uid) => new Claims({ uid, scopes: ['admin'] }));
  const response = await appOf(first as Claims, second as Claims).request('/x');
  expect(await response.json()).toMatchObject({ uid: '8' });
});

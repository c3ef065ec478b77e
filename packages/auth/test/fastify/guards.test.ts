import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Claims } from '../../src/claims.ts';
import { requireAuth, requireScope } from '../../src/fastify/guards.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { cookies, createGuardHarness } from '../guards/guard-harness.ts';
import { forgeToken } from '../tokens/forge-token.ts';

describe('a guard in Fastify', () => {
  it('keeps the handler from running while an onSend hook delays the refusal', async () => {
    const { auth } = createGuardHarness();
    const app = fastify();
    const reached: string[] = [];
    app.addHook('onSend', async () => await new Promise<void>((resolve) => void setTimeout(resolve, 20)));
    app.get('/x', { onRequest: [requireAuth(auth), requireScope('admin')] }, async () => {
      reached.push('/x');
      return {};
    });
    expect((await app.inject('/x')).statusCode).toBe(401);
    expect(reached).toEqual([]);
  });

  it('answers before the body is read, in onRequest', async () => {
    const app = fastify();
    app.post('/x', { onRequest: requireAuth(createGuardHarness().auth) }, async () => ({}));
    const response = await app.inject({
      method: 'POST',
      url: '/x',
      headers: { 'content-type': 'application/json' },
      payload: '{not json',
    });
    expect(response.statusCode).toBe(401);
  });

  it('guards a whole context, its unknown routes included', async () => {
    const app = fastify();
    app.register(
      (scope, _options, done) => {
        scope.addHook('onRequest', requireAuth(createGuardHarness().auth));
        scope.setNotFoundHandler((_request, reply) => void reply.code(404).send());
        scope.get('/x', async () => ({}));
        done();
      },
      { prefix: '/api/admin' },
    );
    app.get('/open', async () => ({}));
    const statusOf = async (url: string) => (await app.inject(url)).statusCode;
    expect(await Promise.all(['/api/admin/x', '/api/admin/y', '/open'].map(statusOf))).toEqual([
      401, 401, 200,
    ]);
  });

  it('gives its claims through a decorator of the host’s own', async () => {
    const app = fastify();
    app.decorateRequest('who', {
      getter() {
        return claimsOf(this);
      },
    });
    app.get('/x', { onRequest: requireAuth(createGuardHarness().auth) }, async (request) => ({
      uid: request.getDecorator<Claims>('who').uid,
    }));
    const response = await app.inject({ url: '/x', headers: cookies(forgeToken()) });
    expect(response.json()).toEqual({ uid: '42' });
  });
});

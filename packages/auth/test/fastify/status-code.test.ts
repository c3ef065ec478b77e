import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { AuthError, type AuthErrorCode, HTTP_STATUS } from '../../src/errors.ts';
import { claimsOf } from '../../src/fastify/index.ts';

const CODES = Object.keys(HTTP_STATUS) as AuthErrorCode[];

/** Serves a route that throws each error, and one that no guard protects. */
function serve(ownHandler: boolean) {
  const app = fastify();
  if (ownHandler) {
    app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
      reply.code(error.statusCode ?? 500).send({ message: error.message });
    });
  }
  app.get<{ Params: { code: AuthErrorCode } }>('/throw/:code', async ({ params }) => {
    throw new AuthError(params.code, 'refused');
  });
  app.get('/unguarded', async (request) => claimsOf(request));
  return app;
}

describe.each([
  ['Fastify itself', false],
  ['an error handler that reads statusCode', true],
])('%s', (_, ownHandler) => {
  test('answers each error with its status', async () => {
    const app = serve(ownHandler);
    for (const code of CODES) {
      expect((await app.inject(`/throw/${code}`)).statusCode, code).toBe(HTTP_STATUS[code]);
    }
    expect((await app.inject('/unguarded')).statusCode).toBe(401);
    await app.close();
  });
});

test('every error carries both names of its status', () => {
  for (const code of CODES) {
    const error = new AuthError(code, 'refused');
    expect([error.status, error.statusCode]).toEqual([HTTP_STATUS[code], HTTP_STATUS[code]]);
  }
});

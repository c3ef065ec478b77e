import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { authErrorHandler } from '../../src/fastify/auth-error-handler.ts';

describe('authErrorHandler', () => {
  it('leaves every other error to the surrounding context, at last to Fastify', async () => {
    const app = fastify();
    app.setErrorHandler(async (error, _request, reply) => {
      if (error instanceof RangeError) return await reply.code(418).send('of the surroundings');
      throw error;
    });
    app.register((scope, _options, done) => {
      scope.setErrorHandler(authErrorHandler());
      scope.get('/busy', async () => {
        throw new AuthError('hashing_busy', 'x');
      });
      scope.get('/range', async () => {
        throw new RangeError('x');
      });
      scope.get('/other', async () => {
        throw new Error('of the handler');
      });
      done();
    });
    const busy = await app.inject('/busy');
    expect([busy.statusCode, busy.json().code]).toEqual([503, 'hashing_busy']);
    expect(busy.headers['content-type']).toBe('application/problem+json');
    expect((await app.inject('/range')).body).toBe('of the surroundings');
    expect((await app.inject('/other')).json()).toMatchObject({ statusCode: 500, message: 'of the handler' });
  });

  it.each(['text', { secret: 's' }, 0, null, undefined])(
    'answers 500 where %j was thrown',
    async (thrown) => {
      const app = fastify();
      app.setErrorHandler(authErrorHandler());
      app.get('/thrown', async () => {
        throw thrown;
      });
      const { statusCode, body } = await app.inject('/thrown');
      expect(statusCode).toBe(500);
      expect(JSON.parse(body).message).toBe('A handler threw something that is no Error');
    },
  );
});

import express, { type ErrorRequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { listen } from '../../../toolkit/test/loopback.ts';
import { AuthError } from '../../src/errors.ts';
import { authErrorHandler } from '../../src/express/auth-error-handler.ts';

describe('authErrorHandler', () => {
  it('leaves every other error, and one that comes too late, to the host', async () => {
    const app = express();
    app.get('/other', (_request, _response, next) => next(new Error('of the handler')));
    app.get('/late', (_request, response, next) => {
      response.write('begun ');
      next(new AuthError('hashing_busy', 'x'));
    });
    app.use(authErrorHandler());
    app.use(((error, _request, response, _next) => {
      response.end(error.message);
    }) satisfies ErrorRequestHandler);
    const { origin } = await listen(app);
    expect(await (await fetch(`${origin}/other`)).text()).toBe('of the handler');
    expect(await (await fetch(`${origin}/late`)).text()).toBe('begun x');
  });
});

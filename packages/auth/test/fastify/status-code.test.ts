import fastify from 'fastify';
import { expect, test } from 'vitest';
import { describeStatusCodes } from '../../../toolkit/test/status-code-contract.ts';
import { type AuthErrorCode, ERROR_CODES } from '../../src/error-codes.ts';
import { AuthError } from '../../src/errors.ts';
import { claimsOf } from '../../src/fastify/index.ts';

describeStatusCodes(ERROR_CODES, (code) => new AuthError(code as AuthErrorCode, 'refused'));

test('a handler that no guard protects is answered 401', async () => {
  const app = fastify();
  app.get('/unguarded', async (request) => claimsOf(request));
  expect((await app.inject('/unguarded')).statusCode).toBe(401);
  await app.close();
});

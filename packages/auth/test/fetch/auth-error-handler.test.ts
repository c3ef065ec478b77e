import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { authErrorHandler } from '../../src/fetch/auth-error-handler.ts';
import { cookies } from '../guards/guard-harness.ts';
import { forgeToken } from '../tokens/forge-token.ts';

const authenticated = () => new Request('http://localhost/x', { headers: cookies(forgeToken()) });

describe('authErrorHandler', () => {
  it('answers what is thrown at once and later, and throws on what is not ours', async () => {
    const fail = authErrorHandler()((_request, error: Error, later: boolean) => {
      if (later) return Promise.reject(error);
      throw error;
    });
    const busy = new AuthError('hashing_busy', 'x');
    for (const later of [true, false]) {
      expect((await fail(authenticated(), busy, later)).status).toBe(503);
      await expect(fail(authenticated(), new Error('other'), later)).rejects.toThrow('other');
    }
  });
});

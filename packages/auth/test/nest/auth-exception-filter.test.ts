import { NotFoundException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { problemFor } from '../../src/http/problem.ts';
import { AuthExceptionFilter } from '../../src/nest/auth-exception-filter.ts';
import { RefusedException } from '../../src/nest/refused-exception.ts';
import { ask, CREATE } from './throwing-route.ts';

describe.each(CREATE)('the exception filter of Nest over %s', (_, create) => {
  it('answers an error of the package as the guards do', async () => {
    const error = new AuthError('hashing_busy', 'Too many', { retryAfterSeconds: 2 });
    const response = await ask(create, error);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('retry-after')).toBe('2');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ status: 503, code: 'hashing_busy' });
  });

  it('breaks off an answer that is half written, so that it cannot pass for a complete one', async () => {
    const refusal = new RefusedException(problemFor(new AuthError('token_missing', 'Nothing')));
    // fetch takes what came before the end of a connection that is not kept alive for all of it.
    const headers = { connection: 'keep-alive' };
    for (const thrown of [new AuthError('hashing_busy', 'Too many'), refusal]) {
      const response = await ask(create, thrown, { written: 'half', headers });
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow('terminated');
    }
  });

  it('leaves every other exception to Nest', async () => {
    expect((await ask(create, new NotFoundException('No such order'))).status).toBe(404);
    const response = await ask(create, new Error('a secret of the database'));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ statusCode: 500, message: 'Internal server error' });
  });
});

it('refuses an option that does not exist, when it is created', () => {
  // @ts-expect-error An option that does not exist does not compile.
  expect(() => new AuthExceptionFilter({ log: true })).toThrow(TypeError);
});

import { HttpException } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { problemFor } from '../../src/http/problem.ts';
import { requireAuth } from '../../src/nest/guards.ts';
import { RefusedException } from '../../src/nest/refused-exception.ts';
import { createGuardHarness } from '../guards/guard-harness.ts';
import { ask, CREATE } from './throwing-route.ts';

it('is an HttpException of the status and the body, and keeps the headers for the filter', () => {
  const problem = problemFor(new AuthError('rate_limited', 'Too many', { retryAfterSeconds: 7 }));
  const exception = new RefusedException(problem);
  expect(exception).toBeInstanceOf(HttpException);
  expect(exception.getStatus()).toBe(429);
  expect(exception.getResponse()).toEqual(problem.body);
  expect(exception.problem.headers['retry-after']).toBe('7');
});

describe.each(CREATE)('a refusal of Nest over %s', (_, create) => {
  it('has its status and body without the filter', async () => {
    const guards = [requireAuth(createGuardHarness().auth)];
    const response = await ask(create, new Error('reached'), { filter: false, guards });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ status: 401, code: 'token_missing' });
  });
});

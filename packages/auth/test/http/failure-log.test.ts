import { expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { logFailure } from '../../src/http/failure-log.ts';

it('names the part of the host that failed, and the cause', () => {
  const logged: object[] = [];
  const logger = { error: (fields: object, message: string) => void logged.push({ ...fields, message }) };
  const cause = new Error('down');
  const late = new AuthError('unavailable', 'late');
  for (const error of [new AuthError('unavailable', 'findUser failed', { cause }), late, cause, undefined]) {
    logFailure(logger, error);
  }
  logFailure(undefined, cause);
  expect(logged).toEqual([
    { err: cause, message: 'findUser failed' },
    { err: late, message: 'late' },
    { err: cause, message: 'A request could not be authenticated' },
    { err: undefined, message: 'A request could not be authenticated' },
  ]);
});

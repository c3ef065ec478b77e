import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { type AuthErrorHandlerOptions, createThrownErrorAnswers } from '../../src/http/thrown-error.ts';

const request = { method: 'POST', url: '/api/login?x=1', headers: {} };

function answering() {
  const errors: object[] = [];
  const lines: object[] = [];
  const logger = {
    error: (fields: object, message: string) => void errors.push({ ...fields, message }),
    debug: (fields: object, message: string) => void lines.push({ ...fields, message }),
  };
  return { answer: createThrownErrorAnswers({ logger }), errors, lines };
}

describe('the answer to an error that a handler threw', () => {
  it('is that of the guards, with a debug line', () => {
    const { answer, errors, lines } = answering();
    const busy = answer(new AuthError('hashing_busy', 'x', { retryAfterSeconds: 7 }), request);
    expect([busy.status, busy.headers['retry-after']]).toEqual([503, '7']);
    expect(lines).toMatchObject([
      { code: 'hashing_busy', method: 'POST', path: '/api/login', retryAfterSeconds: 7 },
    ]);
    expect(errors).toEqual([]);
  });

  it('leaves the failure of a part of the host to the log, and none of it to the client', () => {
    const { answer, errors, lines } = answering();
    const cause = new Error('the database is down');
    const { status, body } = answer(new AuthError('unavailable', 'loadUser failed', { cause }), request);
    expect([status, JSON.stringify(body)]).toEqual([503, expect.not.stringContaining('database')]);
    expect(errors).toMatchObject([{ err: { message: 'the database is down' }, message: 'loadUser failed' }]);
    expect(lines).toEqual([]);
  });

  it.each<[string, object]>([
    ['a logger that is none', { logger: {} }],
    ['an unknown option', { log: console }],
    ['the logger in place of the options', console],
  ])('is refused at construction: %s', (_, options) => {
    expect(() => createThrownErrorAnswers(options as AuthErrorHandlerOptions)).toThrow(TypeError);
  });
});

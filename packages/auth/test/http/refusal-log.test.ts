import { describe, expect, it } from 'vitest';
import { AuthError, ErrInvalidToken, ErrNoToken } from '../../src/errors.ts';
import { logRefusedRequest, logRefusedToken } from '../../src/http/refusal-log.ts';
import type { TokenRefusedEvent } from '../../src/http/token-refusal.ts';
import { START } from '../fake-clock.ts';

function debugLogger() {
  const lines: { readonly message: string }[] = [];
  const debug = (fields: object, message: string) => void lines.push({ ...fields, message });
  return { lines, logger: { error: () => {}, debug } };
}

const request = { method: 'POST', url: '/x?secret=1', headers: { origin: 'https://a.example', host: 'b' } };

const EVENT: TokenRefusedEvent = {
  kind: 'access_token',
  code: 'token_invalid',
  reason: 'signature',
  audience: '/api/admin',
  presented: { isVerified: false },
  method: 'POST',
  path: '/x',
  ip: undefined,
  userAgent: undefined,
  refusedAt: START,
};

describe('the line of a refused request', () => {
  it.each<[AuthError, object]>([
    [new ErrNoToken(), { code: 'token_missing', message: 'Refused a request: Authentication is required.' }],
    [
      new AuthError('insufficient_scope', 'x', { scope: 'a\nb' }),
      { code: 'insufficient_scope', scope: 'a\uFFFDb' },
    ],
    [
      new AuthError('rate_limited', 'x', { retryAfterSeconds: 7 }),
      { code: 'rate_limited', retryAfterSeconds: 7 },
    ],
    [new AuthError('cross_site', 'x'), { code: 'cross_site', origin: 'https://a.example', host: 'b' }],
    [new ErrInvalidToken('x', 'too_many'), { code: 'token_invalid', reason: 'too_many' }],
  ])('says what the answer says, and what helps to find the cause: %s', (error, line) => {
    const { lines, logger } = debugLogger();
    logRefusedRequest(logger, error, request);
    expect(lines).toMatchObject([{ method: 'POST', path: '/x', ...line }]);
  });

  it('names the option for a page of another origin that may send requests', () => {
    const { lines, logger } = debugLogger();
    logRefusedRequest(logger, new AuthError('cross_site', 'x'), request);
    const event: TokenRefusedEvent = { ...EVENT, code: 'cross_site', reason: 'cross_site' };
    logRefusedToken(logger, new AuthError('cross_site', 'x'), event, request);
    const advice = 'if you trust its origin, name it in the option trustedOrigins of createAuth';
    expect(lines.map(({ message }) => message)).toEqual([
      `Refused a request: a page of another site sent the request; ${advice}`,
      `Refused an access token: a page of another site sent the request; ${advice}`,
    ]);
    logRefusedRequest(logger, new ErrNoToken(), request);
    expect(lines.at(-1)?.message).not.toContain('trustedOrigins');
  });

  it('has the longest path and scope that a request can make it have', () => {
    const { lines, logger } = debugLogger();
    const scope = 's'.repeat(100_000);
    const url = `/${'p/'.repeat(100_000)}`;
    logRefusedRequest(logger, new AuthError('insufficient_scope', 'x', { scope }), { ...request, url });
    expect(JSON.stringify(lines).length).toBeLessThan(600);
  });

  it('is written where the line of the token went to a logger that takes none', () => {
    const { lines, logger } = debugLogger();
    const error = new ErrInvalidToken();
    logRefusedToken({ error: () => {} }, error, EVENT, request);
    logRefusedRequest(undefined, error, request);
    logRefusedRequest(logger, error, request);
    expect(lines).toMatchObject([{ code: 'token_invalid', reason: 'unknown' }]);
  });
});

describe('the line of a refused token', () => {
  it('names the audience of the instance for access tokens alone', () => {
    const { lines, logger } = debugLogger();
    logRefusedToken(
      logger,
      new ErrInvalidToken(),
      { ...EVENT, kind: 'refresh_token', reason: 'reused' },
      request,
    );
    expect(lines[0]).not.toHaveProperty('audience');
    expect(lines[0]?.message).toBe(
      'Refused a refresh token: it came back after its successor was in use, so its session has ended',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { answer, granted, refuse, withCookies } from '../../../src/sessions/endpoints/session-answer.ts';
import { START } from '../../fake-clock.ts';
import { expectProblem } from '../session-answers.ts';

describe('an answer of the endpoints', () => {
  it('is JSON that nothing caches', async () => {
    const response = answer(200, { a: 1 });
    expect([response.status, await response.text()]).toEqual([200, '{"a":1}']);
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/json',
    });
  });

  it('has neither body nor type without one', async () => {
    const response = answer(204);
    expect([response.status, response.body]).toEqual([204, null]);
    expect(Object.fromEntries(response.headers)).toEqual({ 'cache-control': 'no-store' });
  });

  it('carries every cookie in a header of its own, after those that it has', () => {
    const first = withCookies(answer(204), ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
    expect(withCookies(first, ['b=2', 'c=3']).headers.getSetCookie()).toEqual([
      'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      'b=2',
      'c=3',
    ]);
  });
});

describe('the answer to a log-in or a poll', () => {
  it('says who it is and until when, and has the tokens in its cookies alone', async () => {
    const response = granted({
      sessionId: 'the session',
      uid: '7',
      scopes: ['admin'],
      accessToken: 'the access token',
      refreshToken: 'the refresh token',
      expiresAt: START + 300,
      serverTime: START,
      cookies: ['a=1', 'b=2'],
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      uid: '7',
      scopes: ['admin'],
      expires_at: START + 300,
      server_time: START,
    });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });
});

describe('a refusal by the endpoints', () => {
  it('is the problem of its code, with the headers that are given', async () => {
    const response = refuse('method_not_allowed', { allow: 'POST' });
    expect(response.headers.get('allow')).toBe('POST');
    await expectProblem(response, 405, 'method_not_allowed');
    expect(refuse('token_missing').headers.get('www-authenticate')).toBe('Bearer realm="api"');
  });
});

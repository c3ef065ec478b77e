import type { AuthErrorCode } from '../../error-codes.ts';
import { AuthError } from '../../errors.ts';
import { problemFor } from '../../http/problem.ts';
import { problemResponse } from '../../http/problem-response.ts';
import type { SessionGrant } from '../session-grant.ts';

export function answer(status: number, body?: object): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
}

/** Answers a log-in or a status poll. */
export function granted({ uid, scopes, expiresAt, serverTime, cookies }: SessionGrant): Response {
  return withCookies(answer(200, { uid, scopes, expires_at: expiresAt, server_time: serverTime }), cookies);
}

export function refuse(code: AuthErrorCode, headers: Readonly<Record<string, string>> = {}): Response {
  const problem = problemFor(new AuthError(code, 'The request was refused'));
  return problemResponse({ ...problem, headers: { ...problem.headers, ...headers } });
}

export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}

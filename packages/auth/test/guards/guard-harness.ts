import { expect } from 'vitest';
import { type Auth, createAuth } from '../../src/auth.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import { type FakeClock, fakeClock, START } from '../fake-clock.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';

/** What a test of guards stands on: an instance, a clock that stands still, and what was logged. */
export interface GuardHarness {
  readonly auth: Auth;
  readonly clock: FakeClock;
  readonly logged: object[];
  readonly logger: { error(fields: object): void };
}

export function createGuardHarness(options: Partial<AuthOptions> = {}): GuardHarness {
  const clock = fakeClock();
  const logged: object[] = [];
  const logger = { error: (fields: object) => void logged.push(fields) };
  return { auth: createAuth({ signingKey: KEY, clock, logger, ...options }), clock, logged, logger };
}

/** Those that frameworks know. */
export const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const EXPIRED: string = forgeToken({ payload: { iat: START - 300, exp: START } });
/** Valid for another instance with the same key. */
export const OF_USERS: string = forgeToken({ payload: { aud: '/api', uid: '7' } });

/** Headers with access token cookies, and others. */
export function cookies(...tokens: string[]): Record<string, string> {
  return { cookie: tokens.map((token) => `access_token=${token}`).join('; ') };
}

/** Reads a problem, and checks what all problems have in common. */
export async function problemOf(response: Response): Promise<{ code: string; challenge: string | null }> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body: unknown = await response.json();
  expect(body).toEqual({
    type: 'about:blank',
    title: expect.any(String),
    status: response.status,
    code: expect.any(String),
    detail: expect.any(String),
  });
  const challenge = response.headers.get('www-authenticate');
  expect(challenge !== null).toBe(response.status === 401 || /scope/.test(JSON.stringify(body)));
  return { code: (body as { code: string }).code, challenge };
}

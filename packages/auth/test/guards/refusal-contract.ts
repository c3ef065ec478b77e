import { expect, it } from 'vitest';
import { generateApiKey } from '../../src/api-keys/api-key.ts';
import { type Auth, createAuth } from '../../src/auth.ts';
import { AuthError } from '../../src/errors.ts';
import type { TokenRefusedEvent } from '../../src/http/token-refusal.ts';
import type { Logger } from '../../src/logging/logger.ts';
import { fakeClock } from '../fake-clock.ts';
import { forgeToken, KEY } from '../tokens/forge-token.ts';
import type { Framework } from './framework.ts';
import { cookies, OF_USERS } from './guard-harness.ts';

const { key, displayPrefix } = generateApiKey('acme');

/** What a debug line has. */
export interface RefusalLine {
  readonly code: string;
  readonly method: string;
  readonly path: string;
  readonly message: string;
}

export interface Audited {
  readonly auth: Auth;
  readonly events: TokenRefusedEvent[];
  readonly lines: RefusalLine[];
  readonly logger: Logger;
}

/** An instance that notes what it refuses. */
export function audited(): Audited {
  const events: TokenRefusedEvent[] = [];
  const lines: RefusalLine[] = [];
  const logger = {
    error: () => {},
    debug: (fields: object, message: string) => void lines.push({ ...(fields as RefusalLine), message }),
  };
  const clock = fakeClock();
  const auth = createAuth({
    signingKey: KEY,
    clock,
    logger,
    onTokenRefused: (event) => void events.push(event),
  });
  return { auth, events, lines, logger };
}

/** What the log and the hooks say of a request that a guard refuses. */
export function refusalContract<G>(framework: Framework<G>, prefix: string): void {
  const { requireAuth, requireScope, requireApiKey, requireAuthOrApiKey, requireSameOrigin } = framework;
  const path = `${prefix}/x`;

  async function ask(guards: readonly G[], headers: Record<string, string>, method = 'GET') {
    const route = { path: '/x', guards, answer: () => ({}) };
    const { fetch } = await framework.start({ prefix, routes: [route] });
    return (await fetch(`${path}?token=hunter2`, { method, headers })).status;
  }

  it('tells once of a token for another audience, with a line that says so', async () => {
    const { auth, events, lines } = audited();
    expect(await ask([requireAuth(auth)], cookies(OF_USERS))).toBe(401);
    await auth.idle();
    expect(events).toMatchObject([
      { reason: 'audience', audience: '/api/admin', presented: { audience: '/api' }, method: 'GET', path },
    ]);
    expect(lines).toMatchObject([{ code: 'token_invalid', method: 'GET', path }]);
    expect(lines[0]?.message).toMatch(
      /audience \(aud\) "\/api", and this instance accepts "\/api\/admin" alone/,
    );
  });

  it('writes a line, and tells no hook, where there is no token', async () => {
    const { auth, events, lines, logger } = audited();
    const none = () => null;
    for (const guard of [
      requireAuth(auth),
      requireApiKey(none, { logger }),
      requireAuthOrApiKey(auth, none),
    ]) {
      expect(await ask([guard], {})).toBe(401);
    }
    await auth.idle();
    const line = {
      code: 'token_missing',
      method: 'GET',
      path,
      message: 'Refused a request: Authentication is required.',
    };
    expect(lines).toMatchObject([line, line, line]);
    expect(events).toEqual([]);
  });

  it('writes a line for a scope that is missing, with the instance or without', async () => {
    const { auth, lines } = audited();
    expect(await ask([requireAuth(auth), requireScope('root')], cookies(forgeToken()))).toBe(403);
    expect(lines).toMatchObject([{ code: 'insufficient_scope', scope: 'root', method: 'GET', path }]);
  });

  it('writes a line for a page of another site', async () => {
    const { auth, lines } = audited();
    expect(await ask([requireSameOrigin(auth)], { 'sec-fetch-site': 'cross-site' }, 'POST')).toBe(403);
    expect(lines).toMatchObject([{ code: 'cross_site', secFetchSite: 'cross-site', method: 'POST', path }]);
  });

  it('tells of a refused API key where the guard knows the instance, each time with one line', async () => {
    const { auth, events, lines, logger } = audited();
    const headers = { authorization: `Bearer ${key}` };
    const none = () => null;
    for (const guard of [
      requireApiKey(none, { auth }),
      requireAuthOrApiKey(auth, none),
      requireApiKey(none, { logger }),
    ]) {
      expect(await ask([guard], headers)).toBe(401);
    }
    await auth.idle();
    const event = { kind: 'api_key', reason: 'unknown', presented: { displayPrefix }, path };
    expect(events).toMatchObject([event, event]);
    expect(lines.map(({ message }) => message)).toEqual(
      Array(3).fill('Refused an API key: there is no such one'),
    );
  });

  it('writes a line for a log-in that is too long ago', async () => {
    const { auth, lines } = audited();
    expect(await ask([requireAuth(auth), framework.requireRecentLogin(60)], cookies(forgeToken()))).toBe(401);
    expect(lines).toMatchObject([{ method: 'GET', path }]);
  });

  it('writes a line for an error that a handler throws, where the error handler has the logger', async () => {
    const { auth, lines, logger } = audited();
    const answer = () => {
      throw new AuthError('invalid_credentials', 'not correct-horse');
    };
    const routes = [{ path: '/x', guards: [requireAuth(auth)], answer }];
    for (const given of [logger, undefined]) {
      const { fetch } = await framework.start({ prefix, routes, logger: given });
      const { status } = await fetch(`${path}?token=hunter2`, { headers: cookies(forgeToken()) });
      expect(status).toBe(401);
    }
    const message = 'Refused a request: The credentials are not right.';
    expect(lines).toMatchObject([{ code: 'invalid_credentials', method: 'GET', path, message }]);
  });

  it('says nothing where a request passes', async () => {
    const { auth, events, lines } = audited();
    expect(await ask([requireAuth(auth), requireScope('admin')], cookies(forgeToken()))).toBe(200);
    await auth.idle();
    expect([events, lines]).toEqual([[], []]);
  });
}

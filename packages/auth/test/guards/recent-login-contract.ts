import { describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { START } from '../fake-clock.ts';
import { forgeToken } from '../tokens/forge-token.ts';
import type { Framework } from './framework.ts';
import { cookies, createGuardHarness, problemOf } from './guard-harness.ts';

const CHALLENGE =
  'Bearer realm="api", error="insufficient_user_authentication", error_description="Log in again to do this.", max_age="300"';

/** What `requireRecentLogin` promises, whatever the framework, wherever it is mounted. */
export function recentLoginContract<G>(framework: Framework<G>, prefix: string): void {
  const { requireAuth, requireAuthOrApiKey, requireApiKey, requireRecentLogin, injecting } = framework;

  async function serve(...guards: G[]) {
    const reached: string[] = [];
    const answer = () => ({ reached: reached.push('/x') });
    const { fetch } = await framework.start({ prefix, routes: [{ path: '/x', guards, answer }] });
    const ask = (headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${prefix}/x`, { method, headers });
    return { ask, reached };
  }

  const loggedInAt = (authTime: unknown) => cookies(forgeToken({ payload: { auth_time: authTime } }));

  describe('requireRecentLogin', () => {
    it("passes to the last second, by the instance's clock, and challenges from the next one on", async () => {
      const { auth, clock, logged } = createGuardHarness();
      const { ask, reached } = await serve(requireAuth(auth), requireRecentLogin(300));
      const headers = cookies(await auth.issueAccessToken('42', [], { authTime: START - 200 }));
      clock.advance(100);
      expect((await ask(headers, 'DELETE')).status).toBe(200);
      clock.advance(1);
      const refused = await ask(headers, 'DELETE');
      expect(refused.status).toBe(401);
      expect(await problemOf(refused)).toEqual({ code: 'login_required', challenge: CHALLENGE });
      expect([reached, logged]).toEqual([['/x'], []]);
    });

    it('refuses a token that does not say when its user logged in', async () => {
      const { auth } = createGuardHarness();
      const { ask, reached } = await serve(requireAuth(auth), requireRecentLogin(34_560_000));
      const refused = await ask(cookies(forgeToken()));
      expect([refused.status, (await problemOf(refused)).code]).toEqual([401, 'login_required']);
      expect(reached).toEqual([]);
    });

    it('takes no token that misstates when its user logged in', async () => {
      const { auth } = createGuardHarness();
      const { ask, reached } = await serve(requireAuth(auth), requireRecentLogin(300));
      for (const at of [START + 61, `${START}`, START + 0.5, -1, null]) {
        const refused = await ask(loggedInAt(at));
        const { code } = await problemOf(refused);
        expect([at, refused.status, code]).toEqual([at, 401, 'token_invalid']);
      }
      expect(reached).toEqual([]);
    });

    it('refuses an API key, whatever its validator says of a log-in', async () => {
      const { auth } = createGuardHarness();
      const validator = () => ({ uid: 'key', scopes: [], issuedAt: START, authTime: START });
      for (const guard of [requireApiKey(validator, { auth }), requireAuthOrApiKey(auth, validator)]) {
        const { ask, reached } = await serve(guard, requireRecentLogin(300));
        const refused = await ask({ authorization: 'Bearer a-key' });
        expect([refused.status, (await problemOf(refused)).code]).toEqual([401, 'login_required']);
        expect(reached).toEqual([]);
      }
    });

    it('lets the cookie of requireAuthOrApiKey pass', async () => {
      const { auth } = createGuardHarness();
      const { ask } = await serve(
        requireAuthOrApiKey(auth, () => null),
        requireRecentLogin(300),
      );
      expect((await ask(loggedInAt(START - 300))).status).toBe(200);
      expect((await ask(loggedInAt(START - 301))).status).toBe(401);
    });

    it('fails closed without a guard before it', async () => {
      const { ask, reached } = await serve(requireRecentLogin(300));
      const refused = await ask(loggedInAt(START));
      expect([refused.status, (await problemOf(refused)).code]).toEqual([401, 'token_missing']);
      expect(reached).toEqual([]);
    });

    it('answers 503 when the clock fails after the token was judged', async () => {
      let readings = 0;
      const { auth } = createGuardHarness({ clock: () => (++readings === 1 ? START * 1000 : Number.NaN) });
      const { ask, reached } = await serve(requireAuth(auth), requireRecentLogin(300));
      expect((await ask(loggedInAt(START))).status).toBe(503);
      expect(reached).toEqual([]);
    });

    it("judges injected claims by the system's clock", async () => {
      const now = Math.floor(Date.now() / 1000);
      for (const [authTime, status] of [
        [now, 200],
        [now - 400, 401],
        [undefined, 401],
      ] as const) {
        const { ask } = await serve(injecting({ uid: '42', scopes: [], authTime }), requireRecentLogin(300));
        expect([authTime, (await ask()).status]).toEqual([authTime, status]);
      }
    });

    it('has the answer of a handler that asks for a log-in itself', async () => {
      const answer = () => {
        throw new AuthError('login_required', 'for amounts above 1,000', { maxAgeSeconds: 300 });
      };
      const { fetch } = await framework.start({ prefix, routes: [{ path: '/x', guards: [], answer }] });
      const refused = await fetch(`${prefix}/x`);
      expect(refused.status).toBe(401);
      expect(await problemOf(refused)).toEqual({ code: 'login_required', challenge: CHALLENGE });
    });

    it('takes 1 to 34,560,000 seconds, and refuses others at construction', () => {
      for (const seconds of [1, 34_560_000]) expect(() => requireRecentLogin(seconds)).not.toThrow();
      for (const seconds of [0, -1, 34_560_001, 1.5, Number.NaN, '300', undefined, {}]) {
        expect(() => requireRecentLogin(seconds as number), String(seconds)).toThrow(
          /^seconds must be an integer from 1 to 34560000/,
        );
      }
    });
  });
}

import { type Auth, createAuth, createSessions, passwordCredentials, type Sessions } from '@acme/auth';
import { kyselySessionStore } from '@acme/auth/kysely';
import type { Kysely } from 'kysely';
import { findByLogin, findByUid, PASSWORD_ITERATIONS, type Scope } from './accounts.ts';
import type { Tables } from './database.ts';
import type { ShopWebhooks } from './webhooks.ts';

/** Who is who: access tokens in a cookie, and the sessions that renew them. */
export function createShopAuth(
  signingKey: string | undefined,
  db: Kysely<Tables>,
  webhooks: ShopWebhooks,
): { readonly auth: Auth<Scope>; readonly sessions: Sessions } {
  const auth = createAuth<Scope>({
    signingKey,
    cookiePath: '/api',
    // The demo uses plain HTTP, where browsers keep no Secure cookie. Behind TLS, leave it out.
    secureCookies: false,
  });
  const sessions = createSessions({
    auth,
    store: kyselySessionStore(db),
    verifyCredentials: passwordCredentials({ findUser: findByLogin, iterations: PASSWORD_ITERATIONS }),
    // Asked at every log-in and status poll: a change of scopes takes effect within minutes.
    loadUser: findByUid,
    onSessionRevoked: ({ sessionId, uid, reason }) =>
      webhooks.dispatch('session.revoked', { session_id: sessionId, uid, reason }),
  });
  return { auth, sessions };
}

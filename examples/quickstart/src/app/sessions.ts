import { type Auth, createSessions, passwordCredentials, type Sessions } from '@acme/auth';
import { kyselySessionStore } from '@acme/auth/kysely';
import type { Kysely } from 'kysely';
import { type Accounts, PASSWORD_ITERATIONS } from './accounts.ts';
import type { Tables } from './database.ts';
import type { ShopWebhooks } from './events.ts';

/**
 * Log-in, status, log-out and the list of sessions of one authentication instance, stored in the
 * database.
 */
export function createAppSessions<Scope extends string>(
  auth: Auth<Scope>,
  accounts: Accounts<Scope>,
  db: Kysely<Tables>,
  webhooks: ShopWebhooks,
): Sessions {
  return createSessions({
    auth,
    store: kyselySessionStore(db),
    // Called at every log-in and status poll, so a change here takes effect within a minute.
    loadUser: async (uid) => accounts.get(uid),
    verifyCredentials: passwordCredentials({
      findUser: async (login) => accounts.find(login),
      iterations: PASSWORD_ITERATIONS,
    }),
    onSessionRevoked: ({ sessionId, uid, reason }) =>
      webhooks.dispatch('session.revoked', { session_id: sessionId, uid, reason }),
    onReuseDetected: ({ uid, ip }) => {
      console.warn(`auth: a refresh token of user ${uid} was used twice, the second time from ${ip}`);
    },
  });
}

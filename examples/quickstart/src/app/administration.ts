import type { Auth, Sessions } from '@acme/auth';
import { requireRecentLogin } from '@acme/auth/express';
import { Router } from 'express';
import type { Accounts } from './accounts.ts';
import type { ShopWebhooks } from './events.ts';
import { notFound, Problem } from './problem.ts';

/** Deleting a user takes a log-in of the last 15 minutes, or else a new one. */
const RECENT_LOG_IN_SECONDS = 900;

/**
 * The general routes for administrators. The group is guarded where it is mounted, not route by
 * route.
 */
export function administrationRoutes(
  users: Accounts,
  userSessions: Sessions,
  instances: { readonly [name: string]: Auth },
  webhooks: ShopWebhooks,
): Router {
  const routes = Router();

  routes.get('/users', (_request, response) => {
    response.json({ users: users.list().map(({ uid, login, name }) => ({ uid, login, name })) });
  });

  routes.delete('/users/:uid', requireRecentLogin(RECENT_LOG_IN_SECONDS), async (request, response) => {
    const { uid } = request.params;
    if (!users.remove(uid)) throw new Problem(404, 'user_not_found', 'There is no such user.');
    // The user is logged out at once, everywhere. Neither the refresh tokens nor the access tokens
    // of this user are valid any more.
    await userSessions.revokeAll(uid);
    void webhooks.dispatch('user.deleted', { uid });
    response.status(204).end();
  });

  routes.get('/auth-stats', (_request, response) => {
    const stats = Object.entries(instances).map(([name, instance]) => [name, instance.stats()] as const);
    response.json(Object.fromEntries(stats));
  });

  routes.use(notFound);
  return routes;
}

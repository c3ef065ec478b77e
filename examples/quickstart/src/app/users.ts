import type { Auth } from '@acme/auth';
import { claimsOf, requireAuth, requireSameOrigin } from '@acme/auth/express';
import express, { Router } from 'express';
import type { Accounts } from './accounts.ts';
import { textField } from './body-fields.ts';
import type { ShopWebhooks } from './events.ts';
import { Problem } from './problem.ts';

/** Self-registration and the profile of the user who is logged in. */
export function userRoutes<Scope extends string>(
  auth: Auth<Scope>,
  accounts: Accounts<Scope>,
  webhooks: ShopWebhooks,
): Router {
  const routes = Router();
  const json = express.json({ limit: '8kb' });

  routes.post('/auth/register', requireSameOrigin(auth), json, async (request, response) => {
    const login = textField(request.body, 'login', 100);
    const name = textField(request.body, 'name', 100);
    const password = textField(request.body, 'password', 1_024);
    const account = await accounts.add({ login, name, scopes: [], password });
    if (account === undefined) throw new Problem(409, 'login_taken', 'This log-in is taken.');
    const { uid } = account;
    // Fire and forget: the answer waits neither for the database nor for any recipient.
    void webhooks.dispatch('user.registered', { uid, login, name });
    response.status(201).json({ uid, login, name });
  });

  routes.put('/profile', requireAuth(auth), json, (request, response) => {
    const { uid } = claimsOf(request);
    const account = accounts.rename(uid, textField(request.body, 'name', 100));
    if (account === undefined) throw new Problem(404, 'account_gone', 'This account no longer exists.');
    const { login, name } = account;
    void webhooks.dispatch('user.updated', { uid, login, name });
    response.json({ uid, login, name });
  });

  return routes;
}

import {
  type Auth,
  createOneTimeTokens,
  createTokenRequests,
  hashPassword,
  type OneTimeTokens,
  type Sessions,
  type TokenRequests,
} from '@acme/auth';
import { requireSameOrigin } from '@acme/auth/express';
import { kyselyOneTimeTokenStore } from '@acme/auth/kysely';
import express, { Router } from 'express';
import type { Kysely } from 'kysely';
import { type Accounts, PASSWORD_ITERATIONS } from './accounts.ts';
import type { Tables } from './database.ts';

const PURPOSE = 'password_reset';

/** The parts of a password reset that last as long as the application. */
export interface PasswordReset {
  readonly tokens: OneTimeTokens;
  readonly requests: TokenRequests;
}

/**
 * Password reset for the accounts of one authentication instance.
 *
 * @param pageUrl returns the address of the page that the mailed link opens. It comes from the
 *   configuration, never from the Host of a request, which an attacker may choose
 */
export function createPasswordReset(
  auth: Auth,
  accounts: Accounts,
  db: Kysely<Tables>,
  pageUrl: () => string,
): PasswordReset {
  const tokens = createOneTimeTokens({ auth, store: kyselyOneTimeTokenStore(db) });
  const requests = createTokenRequests({
    tokens,
    purpose: PURPOSE,
    findUser: async (login) => accounts.find(login),
    // For the demo only, where the terminal is the mailbox. A real application never prints a link.
    sendToken: async ({ user, token }) => {
      console.log(`\nMail to ${user.login}: choose a new password within an hour\n  ${pageUrl()}#${token}\n`);
    },
  });
  return { tokens, requests };
}

/** The two requests of a password reset. Nobody is logged in for them, or by them. */
export function passwordResetRoutes(
  auth: Auth,
  { tokens, requests }: PasswordReset,
  accounts: Accounts,
  sessions: Sessions,
  db: Kysely<Tables>,
): Router {
  const routes = Router();
  const json = express.json({ limit: '8kb' });

  routes.post('/request', requireSameOrigin(auth), json, async (request, response) => {
    await requests.request(request.body?.login, { ip: request.ip });
    // The same answer for every account, and before anybody has looked for this one.
    response.status(202).json({});
  });

  routes.post('/', requireSameOrigin(auth), json, async (request, response) => {
    const { token, password } = request.body ?? {};
    // First, because a hash takes much longer than a lookup.
    await tokens.validate(token, { purpose: PURPOSE });
    const passwordHash = await hashPassword(typeof password === 'string' ? password : '', {
      iterations: PASSWORD_ITERATIONS,
      ...(request.ip === undefined ? {} : { ip: request.ip }),
    });
    const { uid, revocation } = await db.transaction().execute(async (transaction) => {
      const { uid } = await tokens.consume(token, { purpose: PURPOSE, transaction });
      // Accounts in a table get the new hash here, in the same transaction.
      // Every other link that was mailed to the user, for whatever purpose.
      await tokens.revokeAll(uid, { transaction });
      return { uid, revocation: await sessions.revokeAll(uid, { transaction }) };
    });
    accounts.setPasswordHash(uid, passwordHash);
    await revocation.committed();
    // The account may be locked by others: this browser has failures of its own from now on.
    const login = accounts.get(uid)?.login;
    const device = login === undefined ? undefined : await sessions.rememberDevice(login, { uid });
    if (device !== undefined) response.append('Set-Cookie', device);
    response.status(204).end();
  });

  return routes;
}

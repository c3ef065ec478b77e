import { createAuth, createSessions } from '@acme/auth';
import { authErrorHandler } from '@acme/auth/express';
import { kyselySessionStore } from '@acme/auth/kysely';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { createAccounts } from '../../src/app/accounts.ts';
import { openDatabase } from '../../src/app/database.ts';
import { createPasswordReset, passwordResetRoutes } from '../../src/app/password-reset.ts';

const ACCOUNT = { login: 'ada', name: 'Ada', scopes: [], password: 'the old password of ada' };

/** The routes of the reset on a server of their own. */
async function serveReset() {
  const db = await openDatabase(':memory:');
  const auth = createAuth({ signingKey: 'a-signing-key-of-at-least-32-bytes', cookiePath: '/api' });
  const accounts = await createAccounts([ACCOUNT]);
  const sessions = createSessions({
    auth,
    store: kyselySessionStore(db),
    loadUser: async () => ({ scopes: [] }),
    verifyCredentials: async () => undefined,
  });
  const reset = createPasswordReset(auth, accounts, db, () => 'http://127.0.0.1/reset-password');
  const app = express();
  app.use('/reset', passwordResetRoutes(auth, reset, accounts, sessions, db), authErrorHandler());
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve));
    await db.destroy();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const setPassword = (token: string) =>
    fetch(`http://127.0.0.1:${port}/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password: 'a new password of ada' }),
    });
  return { auth, accounts, sessions, tokens: reset.tokens, setPassword };
}

it('voids every other link and session of the user with the old password, and of nobody else', async () => {
  const { auth, accounts, sessions, tokens, setPassword } = await serveReset();
  const oldHash = accounts.find('ada')?.passwordHash;
  const { accessToken } = await sessions.loginAs('1');
  const { token: change } = await tokens.issue({ uid: '1', purpose: 'email_change' });
  const { token: ofAnother } = await tokens.issue({ uid: '2', purpose: 'email_change' });
  const { token } = await tokens.issue({ uid: '1', purpose: 'password_reset' });

  expect((await setPassword(token)).status).toBe(204);
  expect(accounts.find('ada')?.passwordHash).not.toBe(oldHash);
  await expect(tokens.validate(change, { purpose: 'email_change' })).rejects.toMatchObject({
    code: 'one_time_token_invalid',
  });
  expect(await tokens.validate(ofAnother, { purpose: 'email_change' })).toMatchObject({ uid: '2' });
  await expect(auth.validateAccessToken(accessToken)).rejects.toMatchObject({ reason: 'revoked' });
  expect((await sessions.list('1')).sessions).toEqual([]);
  expect((await setPassword(token)).status).toBe(422);
});

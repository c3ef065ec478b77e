import {
  createAuth,
  createSessions,
  hashPassword,
  memorySessionStore,
  passwordCredentials,
} from '@acme/auth';
import { perProcess } from './per-process.js';

const iterations = 600_000; // of the password's hash

export const { auth, sessions } = perProcess('auth', () => {
  const { AUTH_SIGNING_KEY: signingKey, ADMIN_PASSWORD: password } = process.env;
  const auth = createAuth({ signingKey, secureCookies: false }); // true once you have HTTPS
  const admin = hashPassword(password, { iterations }).then((passwordHash) => ({
    uid: '1',
    passwordHash,
  }));
  const sessions = createSessions({
    auth,
    store: memorySessionStore(), // yours: kyselySessionStore(db)
    verifyCredentials: passwordCredentials({
      findUser: async (login) => (login === 'admin' ? admin : undefined),
      iterations,
    }),
    loadUser: async (uid) => (uid === '1' ? { scopes: ['admin:webhooks'] } : undefined),
  });
  return { auth, sessions };
});

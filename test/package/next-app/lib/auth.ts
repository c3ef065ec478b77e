import { createAuth, createSessions, memorySessionStore } from '@acme/auth';

const create = () => {
  const auth = createAuth({ signingKey: process.env.AUTH_SIGNING_KEY, scopes: ['admin:webhooks'] });
  const sessions = createSessions({
    auth,
    store: memorySessionStore(), // yours: kyselySessionStore(db)
    verifyCredentials: async ({ login, password }) =>
      login === 'ada' && password === process.env.ADA_PASSWORD ? { uid: '7' } : null, // yours
    loadUser: async () => ({ scopes: ['admin:webhooks'] }), // yours
  });
  return { auth, sessions };
};

const perProcess = globalThis as typeof globalThis & { appAuth?: ReturnType<typeof create> };
perProcess.appAuth ??= create();
export const { auth, sessions } = perProcess.appAuth;

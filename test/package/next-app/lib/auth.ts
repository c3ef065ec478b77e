import {
  createAuth,
  createSessions,
  hashPassword,
  memorySessionStore,
  passwordCredentials,
} from '@acme/auth';

const iterations = 600_000;

const create = () => {
  const password = process.env.ADA_PASSWORD;
  if (!password) throw new Error('ADA_PASSWORD is not set');
  const auth = createAuth({ signingKey: process.env.AUTH_SIGNING_KEY, scopes: ['admin:webhooks'] });
  const user = hashPassword(password, { iterations }).then((passwordHash) => ({ uid: '7', passwordHash }));
  const sessions = createSessions({
    auth,
    store: memorySessionStore(), // yours: kyselySessionStore(db)
    // yours: a user of your database, whose hash it keeps
    verifyCredentials: passwordCredentials({
      findUser: async (login) => (login === 'ada' ? await user : undefined),
      iterations,
    }),
    loadUser: async () => ({ scopes: ['admin:webhooks'] }), // yours
  });
  return { auth, sessions };
};

const perProcess = globalThis as typeof globalThis & { appAuth?: ReturnType<typeof create> };
perProcess.appAuth ??= create();
export const { auth, sessions } = perProcess.appAuth;

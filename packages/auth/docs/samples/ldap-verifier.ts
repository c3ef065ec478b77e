import { createAuth, createSessions, memorySessionStore } from '@acme/auth';

/** Yours: a client of an LDAP directory. `bind` rejects for a wrong password, as most clients do. */
declare const directory: {
  find(login: string): Promise<{ dn: string; uid: string } | undefined>;
  bind(dn: string, password: string): Promise<void>;
};
const INVALID_CREDENTIALS = 49; // the LDAP result code: RFC 4511, appendix A
/** Stands in where there is no account, so that the time does not tell. Nobody has its DN. */
const NOBODY = 'cn=nobody,dc=example,dc=com';

export const sessions = createSessions({
  auth: createAuth({ signingKey: process.env.AUTH_SIGNING_KEY }),
  store: memorySessionStore(),
  loadUser: async () => undefined, // yours
  async verifyCredentials({ login, password }, { mayTry }) {
    // Many directories let anybody in with an empty password: RFC 4513, section 5.1.2.
    if (typeof login !== 'string' || typeof password !== 'string' || password === '') return undefined;
    const found = await directory.find(login);
    // Each unknown name has a uid of its own: one for all would be busy, and tell them from the known.
    const mayBind = await mayTry?.(found?.uid ?? `nobody ${login}`.slice(0, 128));
    const entry = mayBind === true ? found : undefined;
    try {
      await directory.bind(entry?.dn ?? NOBODY, password);
    } catch (error) {
      if ((error as { code?: unknown }).code === INVALID_CREDENTIALS) return undefined;
      throw error; // an outage: 503, and the next log-in tries again
    }
    return entry && { uid: entry.uid };
  },
});

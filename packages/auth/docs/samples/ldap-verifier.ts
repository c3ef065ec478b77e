import { createAuth, createSessions, memorySessionStore } from '@acme/auth';

/** Yours: a client of an LDAP directory. `bind` rejects for a wrong password, as most clients do. */
declare const directory: {
  find(login: string): Promise<{ dn: string; uid: string } | undefined>;
  bind(dn: string, password: string): Promise<void>;
};
const INVALID_CREDENTIALS = 49; // the LDAP result code: RFC 4511, appendix A
/** Stands in where there is no account, so that the time does not tell. Nobody has its DN and its uid. */
const NOBODY = { dn: 'cn=nobody,dc=example,dc=com', uid: 'nobody' };

export const sessions = createSessions({
  auth: createAuth({ signingKey: process.env.AUTH_SIGNING_KEY }),
  store: memorySessionStore(),
  loadUser: async () => undefined, // yours
  async verifyCredentials({ login, password }, { mayTry }) {
    // Many directories let anybody in with an empty password: RFC 4513, section 5.1.2.
    if (typeof login !== 'string' || typeof password !== 'string' || password === '') return undefined;
    const found = (await directory.find(login)) ?? NOBODY;
    const entry = (await mayTry?.(found.uid)) ? found : NOBODY;
    try {
      await directory.bind(entry.dn, password);
    } catch (error) {
      if ((error as { code?: unknown }).code === INVALID_CREDENTIALS) return undefined;
      throw error; // an outage: 503, and the next log-in tries again
    }
    return entry === NOBODY ? undefined : { uid: entry.uid };
  },
});

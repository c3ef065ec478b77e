import { hashPassword } from '@acme/auth';

/** An account with which a person may log in. */
export interface Account<Scope extends string = string> {
  readonly uid: string;
  readonly login: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly passwordHash: string;
}

export interface NewAccount<Scope extends string = string> {
  readonly login: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly password: string;
}

/** Accounts by log-in name, in memory. A real application has a table. */
export interface Accounts<Scope extends string = string> {
  find(login: string): Account<Scope> | undefined;
  get(uid: string): Account<Scope> | undefined;
  list(): readonly Account<Scope>[];
  /** Returns undefined if the log-in name is taken. */
  add(account: NewAccount<Scope>): Promise<Account<Scope> | undefined>;
  /** Returns undefined if there is no such account. */
  rename(uid: string, name: string): Account<Scope> | undefined;
  /** Does nothing if there is no such account. */
  setPasswordHash(uid: string, passwordHash: string): void;
  remove(uid: string): boolean;
}

/** The scopes of administrators. They match exactly: `admin` does not include `admin:webhooks`. */
export type AdminScope = 'admin' | 'admin:webhooks';

/**
 * The log-ins that the demo prints. They are never deployed: the demo listens only on 127.0.0.1.
 */
export const DEMO_ADMINISTRATORS: readonly NewAccount<AdminScope>[] = [
  {
    login: 'admin',
    name: 'Administrator',
    scopes: ['admin', 'admin:webhooks'],
    password: 'demo password of admin',
  },
  {
    login: 'integrator',
    name: 'Webhooks only',
    scopes: ['admin:webhooks'],
    password: 'demo password of integrator',
  },
  {
    login: 'clerk',
    name: 'Everything but webhooks',
    scopes: ['admin'],
    password: 'demo password of clerk',
  },
];
export const DEMO_USERS: readonly NewAccount<never>[] = [
  { login: 'customer', name: 'Customer', scopes: [], password: 'demo password of customer' },
  { login: 'neighbour', name: 'Another customer', scopes: [], password: 'demo password of neighbour' },
];

const MAX_ACCOUNTS = 1_000;
/**
 * PBKDF2 iterations, as OWASP asks for today. Hashing and log-in need the same number, so that time
 * does not tell who has an account.
 */
export const PASSWORD_ITERATIONS = 600_000;

/** Creates the accounts given, with hashed passwords and the uids 1, 2, 3, … */
export async function createAccounts<Scope extends string>(
  initial: readonly NewAccount<Scope>[],
): Promise<Accounts<Scope>> {
  const byLogin = new Map<string, Account<Scope>>();
  let lastUid = 0;

  const accounts: Accounts<Scope> = {
    find: (login) => byLogin.get(login),
    get: (uid) => [...byLogin.values()].find((account) => account.uid === uid),
    list: () => [...byLogin.values()],
    async add({ login, name, scopes, password }) {
      if (byLogin.has(login) || byLogin.size >= MAX_ACCOUNTS) return undefined;
      const passwordHash = await hashPassword(password, { iterations: PASSWORD_ITERATIONS });
      // Another request may have taken the name while the password was being hashed.
      if (byLogin.has(login)) return undefined;
      lastUid += 1;
      const account = { uid: String(lastUid), login, name, scopes, passwordHash };
      byLogin.set(login, account);
      return account;
    },
    rename(uid, name) {
      const account = accounts.get(uid);
      if (account === undefined) return undefined;
      const renamed = { ...account, name };
      byLogin.set(account.login, renamed);
      return renamed;
    },
    setPasswordHash(uid, passwordHash) {
      const account = accounts.get(uid);
      if (account !== undefined) byLogin.set(account.login, { ...account, passwordHash });
    },
    remove(uid) {
      const account = accounts.get(uid);
      return account !== undefined && byLogin.delete(account.login);
    },
  };
  for (const account of initial) await accounts.add(account);
  return accounts;
}

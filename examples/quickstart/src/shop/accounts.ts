import { hashPassword } from '@acme/auth';

/** Of PBKDF2, as OWASP asks for today. Hashing and log-in need the same number. */
export const PASSWORD_ITERATIONS = 600_000;

/** Who may manage webhooks. The name is the library's. */
export type Scope = 'admin:webhooks';

interface Account {
  readonly uid: string;
  readonly login: string;
  readonly scopes: readonly Scope[];
  readonly passwordHash: string;
}

/** The log-ins of the demo, which listens on 127.0.0.1 alone. A real application has a table. */
const accounts: readonly Account[] = await Promise.all([
  account('1', 'admin', ['admin:webhooks']),
  account('2', 'customer', []),
]);

async function account(uid: string, login: string, scopes: readonly Scope[]): Promise<Account> {
  const passwordHash = await hashPassword(`demo password of ${login}`, { iterations: PASSWORD_ITERATIONS });
  return { uid, login, scopes, passwordHash };
}

export async function findByLogin(login: string): Promise<Account | undefined> {
  return accounts.find((account) => account.login === login);
}

export async function findByUid(uid: string): Promise<Account | undefined> {
  return accounts.find((account) => account.uid === uid);
}

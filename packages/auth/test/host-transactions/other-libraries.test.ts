import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConnectedHost, TransactionHost } from '../../../../test/transactions/transaction-host.ts';
import { transactionHosts } from '../../../../test/transactions/transaction-hosts.ts';
import { kyselyOneTimeTokenStore, kyselySessionStore, migrateAuth } from '../../src/kysely/index.ts';
import { createOneTimeTokens } from '../../src/one-time-tokens/one-time-tokens.ts';
import { type DatabaseServer, databaseServers } from '../kysely/database-servers.ts';
import { sessionHost } from '../sessions/session-host.ts';

const RESET = { purpose: 'password_reset' };
const INVALID = { code: 'one_time_token_invalid' };

const SERVERS = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL or MariaDB' } as const;

const cases = transactionHosts.flatMap((host) =>
  host.databases.map((database) => ({ host, server: serverOf(SERVERS[database]) })),
);

function serverOf(name: string): DatabaseServer {
  const server = databaseServers.find((one) => one.name === name);
  if (server === undefined) throw new Error(`there is no ${name}`);
  return server;
}

describe.each(cases)('in a transaction of $host.name on $server.name', ({ host, server }) => {
  const it = test.skipIf(server.skipped);

  it('a token is consumed, and sessions and other tokens end, when it commits', async () => {
    const app = await application(host, server);
    const { sessions, tokens } = app;
    const { sessionId } = await sessions.loginAs('7');
    const { token } = await tokens.issue({ uid: '7', ...RESET });
    const other = await tokens.issue({ uid: '7', purpose: 'login' });
    const { ended, revocation } = await app.resetPassword(token);
    expect(ended).toBe(1);
    expect(await revocation.committed()).toEqual([sessionId]);
    expect(await app.password()).toBe('new');
    expect((await sessions.list('7')).sessions).toEqual([]);
    await expect(tokens.validate(other.token, { purpose: 'login' })).rejects.toMatchObject(INVALID);
    await expect(app.resetPassword(token)).rejects.toMatchObject(INVALID);
  });

  it('nothing has happened when it rolls back, and a token issued in it does not exist', async () => {
    const app = await application(host, server);
    const { sessions, tokens } = app;
    await sessions.loginAs('7');
    const { token } = await tokens.issue({ uid: '7', ...RESET });
    let issued = '';
    const failing = app.resetPassword(token, async (transaction) => {
      ({ token: issued } = await tokens.issue({ uid: '7', purpose: 'login', transaction }));
      throw new Error('the host changes its mind');
    });
    await expect(failing).rejects.toThrow('changes its mind');
    expect(await app.password()).toBe('old');
    expect((await sessions.list('7')).sessions).toHaveLength(1);
    expect(await tokens.validate(token, RESET)).toMatchObject({ uid: '7' });
    await expect(tokens.validate(issued, { purpose: 'login' })).rejects.toMatchObject(INVALID);
  });

  it('nothing is done where it is one of another database', async () => {
    const [app, other] = [await application(host, server), await application(host, server)];
    const { token } = await app.tokens.issue({ uid: '7', ...RESET });
    const consume = () =>
      other.connected
        .transaction(({ transaction }) => app.tokens.consume(token, { ...RESET, transaction }))
        .catch((error: unknown) => error);
    // The store asks beside its first statement which database it is on.
    const elsewhere = new TypeError('the transaction is on another database than the store');
    await expect.poll(consume).toEqual(elsewhere);
    expect(await app.tokens.validate(token, RESET)).toMatchObject({ uid: '7' });
  });
});

/** An application with users of its own, which it reaches through another library. */
async function application(host: TransactionHost, server: DatabaseServer) {
  const database = await server.create();
  onTestFinished(() => database.remove());
  const db = database.open();
  await migrateAuth(db);
  await sql`create table host_users (uid varchar(32) primary key, password varchar(32))`.execute(db);
  await sql`insert into host_users values ('7', 'old')`.execute(db);
  const connected: ConnectedHost = await host.connect(database.url);
  onTestFinished(() => connected.close());
  const { auth, sessions } = sessionHost({ store: kyselySessionStore(db) });
  const tokens = createOneTimeTokens({ auth, store: kyselyOneTimeTokenStore(db) });
  return {
    connected,
    sessions,
    tokens,
    async password() {
      const { rows } = await sql<{ password: string }>`select password from host_users`.execute(db);
      return rows[0]?.password;
    },
    /** Token, password and sessions change together, or none of them. */
    resetPassword: (token: string, before: (transaction: Transaction) => Promise<void> = async () => {}) =>
      connected.transaction(async ({ transaction, run }) => {
        const { uid } = await tokens.consume(token, { ...RESET, transaction });
        await run(`update host_users set password = 'new' where uid = '7'`);
        const ended = await tokens.revokeAll(uid, { transaction });
        const revocation = await sessions.revokeAll(uid, { transaction });
        await before(transaction);
        return { ended, revocation };
      }),
  };
}

type Transaction = Parameters<Parameters<ConnectedHost['transaction']>[0]>[0]['transaction'];

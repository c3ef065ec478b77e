import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { AuthError } from '../../src/errors.ts';
import { kyselySessionStore } from '../../src/kysely/kysely-session-store.ts';
import { migrateAuth } from '../../src/kysely/migrate.ts';
import { databaseServers } from '../kysely/database-servers.ts';
import { Browser, sessionHost } from '../sessions/session-host.ts';

const servers = databaseServers.filter(({ name }) => name !== 'SQLite');

describe.each(servers)('a session that $name refuses to keep', ({ skipped, create }) => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  });

  it.skipIf(skipped)('shows the logger neither its token nor what is stored of it', async () => {
    const database = await create();
    cleanUps.push(() => database.remove());
    const db = database.open();
    await migrateAuth(db);
    await sql`alter table refresh_tokens add constraint agents check (user_agent <> 'refused')`.execute(db);
    const logged: object[] = [];
    const logger = { error: (fields: object, message: string) => void logged.push({ ...fields, message }) };
    const browser = new Browser(sessionHost({ store: kyselySessionStore(db), authOptions: { logger } }));
    browser.headers['user-agent'] = 'refused';

    expect((await browser.logIn()).status).toBe(503);

    expect(logged).toMatchObject([{ message: 'A request for a session could not be answered' }]);
    const told = inspect(logged, { depth: 20, showHidden: true, maxStringLength: null });
    expect(told).toMatch(/23514|4025|3819/);
    // The hash of a refresh token is 64 hexadecimal characters. Not `toMatch`, which prints all of it.
    expect(/[0-9a-f]{64}|refused'|secret of/.test(told), 'the row or the statement is told').toBe(false);
  });
});

describe('a verifier that puts the credentials into its error', () => {
  const credentials = {
    login: 'ada@example.org',
    password: 'hunter two',
    otp: { codes: ['472 119'] },
    pin: '12',
  };

  it.each<[string, (told: string) => Error]>([
    ['its message', (told) => new Error(told)],
    ['an error of ours', (told) => new AuthError('unavailable', told)],
    ['the cause', (told) => new Error('failed', { cause: new Error(told) })],
    ['one of several', (told) => new AggregateError([new Error(told)], 'failed')],
  ])('shows the logger none of it: %s', async (_, errorOf) => {
    const logged: object[] = [];
    const logger = { error: (fields: object) => void logged.push(fields) };
    const host = sessionHost({
      verifyCredentials: async (sent) => {
        throw errorOf(`no such row: ${Object.values(sent).join(' and ')} or ${JSON.stringify(sent.otp)}`);
      },
      logger,
    });
    const body = JSON.stringify(credentials);
    expect((await new Browser(host).send('POST', '/login', { body })).status).toBe(503);
    const told = inspect(logged, { depth: 20, showHidden: true, maxStringLength: null });
    expect(told).toMatch(/no such row/);
    expect(/hunter|472|example/.test(told), 'the credentials are told').toBe(false);
  });
});

import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { accountKey } from '../../../src/sessions/login-throttle/account-key.ts';
import { databaseServers } from '../../kysely/database-servers.ts';

const SPELLINGS = [
  'ADA1',
  'ädá1',
  'ａｄａ１',
  'a\u0308da1',
  'ad\u200Ba1',
  'a\u00ADda1',
  'a\u06DEda1',
  'ada\u0661',
  'ada\u2776',
  '\u0363da1',
  'aða1',
  'ada1 ',
];

describe('accountKey', () => {
  it.each(SPELLINGS)('takes %j for ada1', (spelling) => {
    expect(accountKey(spelling)).toBe(accountKey('ada1'));
  });

  it.each(['ada2', 'ad1', 'adb1', 'ada1@example.com', 'ада1', '艾达1', ''])('tells %j from ada1', (login) => {
    expect(accountKey(login)).not.toBe(accountKey('ada1'));
  });

  it('folds text of any length and of any characters, in little time', () => {
    const everything = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join('');
    expect(accountKey(everything)).toHaveLength(22);
    expect(accountKey('\ud800')).toHaveLength(22);
  });
});

const mariadb = databaseServers.find(({ name }) => name === 'MySQL or MariaDB');

describe.skipIf(mariadb === undefined || mariadb.skipped !== undefined)('a row of MariaDB', () => {
  it.each(['utf8mb4_general_ci', 'utf8mb4_unicode_ci', 'utf8mb4_unicode_520_ci'])(
    'is found under %s by no spelling that has a key of its own',
    async (collation) => {
      const database = await mariadb?.create();
      const db: Kysely<unknown> | undefined = database?.open();
      if (database === undefined || db === undefined) throw new Error('There is no database');
      try {
        const login = sql.raw(`login varchar(64) character set utf8mb4 collate ${collation}`);
        await sql`create table users (${login})`.execute(db);
        await sql`insert into users values ('ada1')`.execute(db);
        const loose = Array.from({ length: 0x10000 - 0xa0 }, (_, code) => String.fromCharCode(0xa0 + code))
          .filter((character) => !/[\p{Surrogate}\p{Cn}\p{Co}\u09F4-\u09F7]/u.test(character))
          .flatMap((character) => [`ad${character}a1`, `ad${character}1`, `ada${character}`]);
        const found: string[] = [];
        for (let at = 0; at < loose.length; at += 5_000) {
          const sent = JSON.stringify(loose.slice(at, at + 5_000));
          const { rows } = await sql<{ spelling: string }>`
            select sent.spelling from json_table(${sent}, '$[*]' columns
              (spelling varchar(64) character set utf8mb4 collate ${sql.raw(collation)} path '$')) sent
            join users on users.login = sent.spelling`.execute(db);
          found.push(...rows.map(({ spelling }) => spelling));
        }
        expect(found.length).toBeGreaterThan(20);
        expect(found.filter((spelling) => accountKey(spelling) !== accountKey('ada1'))).toEqual([]);
      } finally {
        await database.remove();
      }
    },
    30_000,
  );
});

import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { accountKey } from '../../src/throttle/account-key.ts';
import { databaseServers } from '../kysely/database-servers.ts';

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
  '\u{1F170}d\u{1F150}1',
  'a\u{1F1A5}a\u09F4',
  'ada1 ',
];

describe('accountKey', () => {
  it.each(SPELLINGS)('takes %j for ada1', (spelling) => {
    expect(accountKey(spelling)).toBe(accountKey('ada1'));
  });

  it.each(['ada2', 'ad1', 'adb1', 'ada1@example.com', 'ада1', '艾达1', ''])('tells %j from ada1', (login) => {
    expect(accountKey(login)).not.toBe(accountKey('ada1'));
  });

  it('folds text of any length and of any characters', () => {
    const everything = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join('');
    expect(accountKey(everything)).toHaveLength(22);
    expect(accountKey('\ud800')).toHaveLength(22);
  });
});

const mariadb = databaseServers.find(({ name }) => name === 'MySQL or MariaDB');
const ALPHANUMERICS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
/** What one character may be taken for: nothing, ASCII characters, pairs and words. */
const ASCII_TEXTS = [
  ...Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)),
  ...ALPHANUMERICS.flatMap((first) => ALPHANUMERICS.map((second) => first + second)),
  ...['cool', 'free', 'new', 'sos', 'up!', '5.1', '7.1', '22.2', '60p', '120p', 'hdr', 'lossless', 'shv'],
  ...['uhd', 'vod', 'ppv', 'ffi', 'ffl'],
];

describe.skipIf(mariadb === undefined || mariadb.skipped !== undefined)('a row of MariaDB', () => {
  it.each(['general_ci', 'unicode_ci', 'unicode_520_ci', 'uca1400_ai_ci'])(
    'is found under utf8mb4_%s by no character that gives a key of its own',
    async (collation) => {
      const database = await mariadb?.create();
      const db = database?.open();
      if (database === undefined || db === undefined) throw new Error('There is no database');
      try {
        const weigh = (texts: readonly string[]) => weightsOf(db, `utf8mb4_${collation}`, texts);
        const asciiByWeight = new Map<string, string[]>();
        for (const [text, weight] of await weigh(ASCII_TEXTS))
          asciiByWeight.set(weight, [...(asciiByWeight.get(weight) ?? []), text]);
        const found = (await weigh(assignedCharacters())).flatMap(([character, weight]) => {
          const texts = weight === '' ? [''] : (asciiByWeight.get(weight) ?? []);
          return texts.map((text) => [character, text] as const);
        });
        expect(found.length).toBeGreaterThan(400);
        const strangers = found.filter(([one, other]) => accountKey(`q${one}q`) !== accountKey(`q${other}q`));
        expect(strangers).toEqual([]);
      } finally {
        await database.remove();
      }
    },
    60_000,
  );
});

function assignedCharacters(): readonly string[] {
  return Array.from({ length: 0xe0200 - 0xa0 }, (_, index) => 0xa0 + index)
    .filter((code) => code < 0x20000 || code >= 0xe0000)
    .filter((code) => code < 0xd800 || code >= 0xe000)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => !/[\p{Cn}\p{Co}]/u.test(character));
}

/** Texts that a collation takes for one have one weight. */
async function weightsOf(db: Kysely<unknown>, collation: string, texts: readonly string[]) {
  const weights: (readonly [text: string, weight: string])[] = [];
  for (let at = 0; at < texts.length; at += 5_000) {
    const { rows } = await sql<{ text: string; weight: string }>`
      select text, hex(weight_string(text collate ${sql.raw(collation)})) as weight
      from json_table(${JSON.stringify(texts.slice(at, at + 5_000))}, '$[*]' columns
        (text varchar(16) character set utf8mb4 path '$')) sent`.execute(db);
    weights.push(...rows.map(({ text, weight }) => [text, weight] as const));
  }
  return weights;
}

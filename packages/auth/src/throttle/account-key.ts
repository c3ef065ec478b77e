import { createHash } from 'node:crypto';

/**
 * Characters whose base is remembered: more than there are outside of Han. One takes about 100
 * bytes.
 */
const MAX_REMEMBERED = 65_536;
/** Letters and digits, also those enclosed in squares and circles. */
const MAY_BE_ASCII = /[\p{N}\p{M}\u{1F130}-\u{1F1AC}]|(?![\p{Script=Han}\p{Script=Hangul}])\p{L}/u;
const ASCII_ALPHANUMERICS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * Characters that a collation takes for text, but `Intl.Collator` does not: Bengali currency
 * numerators, and words in one character.
 */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  '\u09F4': '1',
  '\u09F5': '2',
  '\u09F6': '3',
  '\u09F7': '4',
  '\u{1F192}': 'COOL',
  '\u{1F193}': 'FREE',
  '\u{1F195}': 'NEW',
  '\u{1F198}': 'SOS',
  '\u{1F199}': 'UP!',
  '\u{1F1A0}': '5.1',
  '\u{1F1A1}': '7.1',
  '\u{1F1A2}': '22.2',
  '\u{1F1A3}': '60P',
  '\u{1F1A4}': '120P',
  '\u{1F1A7}': 'HDR',
  '\u{1F1A9}': 'LOSSLESS',
  '\u{1F1AA}': 'SHV',
  '\u{1F1AB}': 'UHD',
  '\u{1F1AC}': 'VOD',
};

const collator = new Intl.Collator('und', { sensitivity: 'base' });
let sortedBases: readonly string[] | undefined;
const rememberedBases = new Map<string, string | undefined>();

/**
 * Gives the text by which an account is counted: one for all spellings that the collations below
 * take for one name.
 *
 * Compared with MariaDB 10.11 on every character of Unicode, for names in ASCII: the collations
 * `utf8mb4_general_ci`, `unicode_ci`, `unicode_520_ci` and `uca1400_ai_ci` ignore accents and
 * invisible characters, take `ø` for `o`, `æ` for `ae`, `ß` for `s` or `ss`, and the digits of all
 * scripts for `0` to `9`. MySQL's default, `utf8mb4_0900_ai_ci`, was not compared. Collations of
 * one language may take more together: `utf8mb4_swedish_ci` takes `ü` for `y`. Two accounts may get
 * one key. No name can be read from it: it is a hash.
 */
export function accountKey(login: string): string {
  const folded = [...login.normalize('NFKD')].map(fold).join('').replace(/S+/g, 'S');
  return createHash('sha256').update(folded, 'utf8').digest('base64').slice(0, 22);
}

function fold(character: string): string {
  if (character > '\x20' && character < '\x7F') return character.toUpperCase();
  const spelledOut = SPELLED_OUT[character];
  if (spelledOut !== undefined) return spelledOut;
  // Letters written above others count as letters, so what is left out comes second.
  const base = asciiBase(character);
  if (base !== undefined) return base;
  // The letters and symbols at the end have no weight in some tables of the Unicode Collation
  // Algorithm (UTS #10).
  if (
    /[\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\s\u00B7\u0640\u06DE\u07FA\u0824\u0828\u180A\u1CD3\u1CF2\u1CF3\uFE73]/u.test(
      character,
    )
  ) {
    return '';
  }
  if (character.length > 1) return '\uFFFD';
  // Both ways, upper case last: a final sigma is none.
  return character.toLowerCase().toUpperCase();
}

/** Gives the one or two ASCII letters or digits that a character is a form of. */
function asciiBase(character: string): string | undefined {
  if (rememberedBases.has(character)) return rememberedBases.get(character);
  if (!MAY_BE_ASCII.test(character)) return undefined;
  const base = searchBase(character);
  if (rememberedBases.size < MAX_REMEMBERED) rememberedBases.set(character, base);
  return base;
}

function searchBase(character: string): string | undefined {
  sortedBases ??= ASCII_ALPHANUMERICS.flatMap((first) => [
    first,
    ...ASCII_ALPHANUMERICS.map((second) => first + second),
  ]).sort(collator.compare);
  let low = 0;
  let high = sortedBases.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = sortedBases[middle] ?? '';
    const order = collator.compare(character, candidate);
    if (order === 0) return candidate;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return undefined;
}

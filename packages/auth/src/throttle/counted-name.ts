import { createHash } from 'node:crypto';

/** In UTF-16 code units. An e-mail address is rarely as long; longer names share a count. */
const MAX_LENGTH = 128;

/**
 * Gives the text under which a name is counted, before anybody looks for its account: case,
 * accents, invisible characters and Unicode's compatibility forms make no difference.
 *
 * It is cut before it is normalised, which may make 18 characters of one, so that every name costs
 * microseconds. A lookup may unite more spellings: that is what the count of the account is for.
 */
export function countedName(login: string): string {
  const plain = login
    .slice(0, MAX_LENGTH)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '');
  // Both ways, upper case last: a final sigma is none, and `ẞ` is `SS`.
  return plain.trim().toLowerCase().toUpperCase().slice(0, MAX_LENGTH);
}

/**
 * Gives the uid that is counted if a name leads to no account, so that a shared store has as
 * much to do as for one. Of a fixed length, because a uid has a bound.
 */
export function uidOfNobody(login: string): string {
  return `@acme/auth: no user ${createHash('sha256').update(countedName(login)).digest('hex')}`;
}

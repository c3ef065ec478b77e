import { isBlank } from '../../../toolkit/src/blank-text.ts';
import { AuthError } from '../errors.ts';

/** In UTF-16 code units; an e-mail address has at most 254 (RFC 5321). */
export const MAX_LOGIN_LENGTH = 256;

/**
 * Tells whether a login is text that may name an account, or is empty.
 *
 * U+0000 and half of a surrogate pair are refused by databases without any failure of the host.
 * Nobody can read a blank name. Format characters are invisible, and some collations skip them.
 * Line separators forge lines of a log.
 */
export function isPossibleLogin(login: unknown): login is string {
  if (typeof login !== 'string' || login.length > MAX_LOGIN_LENGTH) return false;
  if (login !== '' && isBlank(login)) return false;
  return !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u.test(login);
}

/**
 * Returns a login that a user may be looked for by.
 *
 * @throws AuthError `login_invalid`
 */
export function readLogin(login: unknown): string {
  if (isPossibleLogin(login) && login !== '') return login;
  throw new AuthError('login_invalid', 'A login has 1 to 256 characters, all of them visible');
}

/** @throws TypeError when a host names no account in a call of a method */
export function requireLogin(method: string, login: unknown): asserts login is string {
  if (isPossibleLogin(login) && login !== '') return;
  throw new TypeError(`${method} needs a login of 1 to ${MAX_LOGIN_LENGTH} visible characters`);
}

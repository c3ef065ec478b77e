import { stringifySetCookie } from 'cookie';
import type { CookieSettings } from './cookie-settings.ts';

/** RFC 6265bis section 5.6: a browser drops a cookie whose name and value are longer together. */
const MAX_COOKIE_LENGTH = 4096;

/**
 * RFC 6265bis section 5.5: a browser keeps a cookie for 400 days at most, whatever its Max-Age
 * says.
 */
export const MAX_COOKIE_AGE_SECONDS = 400 * 86_400;

/** What tokens are made of; nothing in it needs encoding or could end a cookie's value. */
const VALUE_FORM = /^[A-Za-z0-9._-]+$/;

/**
 * Writes a `Set-Cookie` value: HttpOnly, SameSite=Lax, the cookie's own path, Secure unless it is
 * turned off.
 *
 * @param maxAgeSeconds how long the browser keeps it: the life of the token inside
 * @throws TypeError when the value is no token text, or too long for a browser to keep. It is not
 *   repeated.
 */
export function setCookie(cookie: CookieSettings, value: string, maxAgeSeconds: number): string {
  if (typeof value !== 'string' || !VALUE_FORM.test(value)) {
    throw new TypeError(`The value of the cookie ${cookie.name} must be the text of a token`);
  }
  if (cookie.name.length + value.length > MAX_COOKIE_LENGTH) {
    throw new TypeError(
      `The cookie ${cookie.name} would be longer than the ${MAX_COOKIE_LENGTH} characters a browser keeps: grant fewer or shorter scopes`,
    );
  }
  return stringifySetCookie({ ...attributes(cookie), value, maxAge: maxAgeSeconds });
}

/** Writes the `Set-Cookie` value that makes a browser forget the cookie. */
export function clearCookie(cookie: CookieSettings): string {
  return stringifySetCookie({ ...attributes(cookie), value: '', maxAge: 0, expires: new Date(0) });
}

function attributes({ name, path, secure }: CookieSettings) {
  return { name, path, secure, httpOnly: true, sameSite: 'lax' } as const;
}

import { createHash } from 'node:crypto';
import type { Auth } from '../../auth.ts';
import { MAX_COOKIES_PER_NAME } from '../../cookies/cookie-header.ts';
import {
  type CookieSettings,
  cookieBeside,
  DEFAULT_REFRESH_TOKEN_NAME,
} from '../../cookies/cookie-settings.ts';
import { setCookie } from '../../cookies/set-cookie.ts';
import type { AuthParts } from '../../http/auth-parts.ts';
import { generateId } from '../../tokens/random-id.ts';

/** How long a device stays known after a log-in. */
const MAX_AGE_SECONDS = 90 * 86_400;
/** The name behind the instance's `cookiePrefix`. */
const COOKIE_NAME = 'known_device';
/** How far ahead the clock of another process may have been when it issued a cookie. */
const MAX_CLOCK_SKEW_SECONDS = 60;
const KEYED_HASH_LABEL = '@acme/auth known device';

/** Device id, time of issue, hash of the uid; a signature over these, the instance and the name. */
const COOKIE_FORM = /^(([0-9a-f]{32})\.([1-9]\d{0,11})\.([\w-]{43}))\.([\w-]{51})$/;

/** A browser in which somebody has logged in to an account before. */
export interface KnownDevice {
  readonly id: string;
  isOf(uid: string): boolean;
}

/**
 * Recognises the browsers in which an account has logged in before, by a signed cookie that grants
 * nothing else: at a log-in, such a browser has failures of its own.
 *
 * A cookie of another name or instance, or one that is forged or has expired, is as good as none.
 */
export interface KnownDevices {
  readonly cookie: CookieSettings;
  /**
   * Returns the device that the cookies prove, without a lookup. More than four cookies prove
   * nothing.
   *
   * @param name of the account, as `countedName` gives it
   */
  recognise(name: string, cookies: readonly string[]): KnownDevice | undefined;
  /**
   * Returns the `Set-Cookie` value after a right log-in.
   *
   * @param device that was recognised: it keeps its id, and with it its failures
   */
  remember(name: string, uid: string, device: KnownDevice | undefined): string;
}

export interface KnownDevicesConfig {
  readonly auth: Auth;
  readonly authParts: AuthParts;
  readonly instance: string;
  /** Unix seconds. */
  readonly now: () => number;
}

/** @throws TypeError when the access cookie of the instance has the name */
export function createKnownDevices({ auth, authParts, instance, now }: KnownDevicesConfig): KnownDevices {
  const { accessTokenCookie: accessToken, refreshTokenCookie: refreshToken } = auth.options;
  const cookie = cookieBeside({ accessToken, refreshToken }, nameBeside(refreshToken.name));
  const hashes = authParts.keyedHash(KEYED_HASH_LABEL);
  /** As JSON, so that no two lists have one text. */
  const signedText = (name: string, facts: string) => JSON.stringify([instance, name, facts]);

  function read(name: string, value: string): KnownDevice | undefined {
    const [, facts = '', id = '', issuedAt, uidHash, signature = ''] = COOKIE_FORM.exec(value) ?? [];
    const age = now() - Number(issuedAt);
    if (id === '' || age >= MAX_AGE_SECONDS || age < -MAX_CLOCK_SKEW_SECONDS) return undefined;
    if (!hashes.matches(signedText(name, facts), signature)) return undefined;
    return { id, isOf: (uid) => hashOf(uid) === uidHash };
  }

  return {
    cookie,

    recognise(name, cookies) {
      if (cookies.length > MAX_COOKIES_PER_NAME) return undefined;
      for (const value of cookies) {
        const device = read(name, value);
        if (device !== undefined) return device;
      }
      return undefined;
    },

    remember(name, uid, device) {
      const id = device?.isOf(uid) ? device.id : generateId();
      const facts = `${id}.${now()}.${hashOf(uid)}`;
      return setCookie(cookie, `${facts}.${hashes.sign(signedText(name, facts))}`, MAX_AGE_SECONDS);
    },
  };
}

/**
 * Of two instances on one path, which have refresh cookies of different names, each has a cookie of
 * its own: `admin_refresh.known_device` beside `admin_refresh`.
 */
function nameBeside(refreshTokenName: string): string {
  const bareName = refreshTokenName.replace(/^__(?:Secure|Host)-/, '');
  return bareName === DEFAULT_REFRESH_TOKEN_NAME ? COOKIE_NAME : `${bareName}.${COOKIE_NAME}`;
}

function hashOf(uid: string): string {
  return createHash('sha256').update(uid, 'utf8').digest('base64url');
}

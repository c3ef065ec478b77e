import { objectOption, refuseUnknownOptions } from '../../../../toolkit/src/options.ts';
import { AuthError, isAuthError } from '../../errors.ts';
import { boundedHostCall, HOST_CALL_TIMEOUT_MS } from '../../host-call.ts';
import { defaultLogger, type Logger, resolveLogger } from '../../logging/logger.ts';
import type { HashingLimiter } from '../../passwords/hashing-limiter.ts';
import {
  defaultHashingLimiter,
  hashPassword,
  isPossiblePassword,
  MAX_PASSWORD_BYTES,
  needsRehash,
  type PasswordOptions,
  verifyPassword,
} from '../../passwords/password.ts';
import { parsePasswordHash } from '../../passwords/password-hash-text.ts';
import { readLogin } from '../../text/login.ts';
import { uidOfNobody } from '../../throttle/counted-name.ts';
import type { SessionClient, VerifyCredentials } from '../sessions-options.ts';
import { type Credentials, ownMember, readsLogin } from './credentials.ts';

/** The tag of the format that `hashPassword` writes. */
const OWN_FORMAT = 'pbkdf2';

/**
 * `$2b$…`, `$argon2id$…`, `pbkdf2_sha256$…`; or `{SSHA}…`, as directories have it. Spring's
 * `{pbkdf2}` is not the format of this package.
 */
const FORMAT_TAG = /^(?:\$?([\w.-]{1,32})\$|\{(?!pbkdf2\})([\w.-]{1,32})\})/;

/**
 * A shorter text may be a password in plain text, and the part before its `$` stays out of logs.
 */
const MIN_HASH_LENGTH = 40;

/**
 * The tags that a log may have. Any other text before a `$` may be a hash (`<md5>$<salt>`) or a
 * part of a password.
 */
const KNOWN_FORMATS: ReadonlySet<string> = new Set([
  ...['1', '2', '2a', '2b', '2x', '2y', '5', '6', '7', 'y', 'gy', 'P', 'H', 'S', 'md5', 'sha1', 'apr1'],
  ...['argon2', 'argon2i', 'argon2d', 'argon2id', 'bcrypt', 'bcrypt_sha256', 'bcrypt-sha256', 'scrypt'],
  ...['pbkdf2_sha1', 'pbkdf2_sha256', 'pbkdf2-sha1', 'pbkdf2-sha256', 'pbkdf2-sha512', 'sha256', 'sha512'],
  ...['MD5', 'SMD5', 'SHA', 'SSHA', 'SHA256', 'SSHA256', 'SHA512', 'SSHA512', 'CRYPT', 'PBKDF2', 'ARGON2'],
]);

const MAX_BCRYPT_BYTES = 72;

/** How long a log-in that has succeeded waits for `updateHash`. */
const UPDATE_TIMEOUT_MS = 5_000;

/**
 * A verifier with less left of its log-in is not asked: it would go on beside the one that gets its
 * slot. That much is left after the longest look-up.
 */
const MIN_VERIFIER_MS = 5_000;

/** Less than a verifier has in all, so that a look-up that hangs is not taken for a guess. */
const LOOKUP_TIMEOUT_MS = 20_000;

/** A user, as far as a log-in needs one. `updateHash` gets further fields back. */
export interface PasswordUser {
  readonly uid: string;
  /** The stored text; nothing for a user without a password, who logs in by other means. */
  readonly passwordHash: string | null | undefined;
}

/**
 * Verifies a password against a stored text of another format. `'partial'` means: right as far as
 * the format reads it, but the format ignores a part of this password. The log-in succeeds, and the
 * stored text stays, or any text with the same beginning would become the new password.
 */
export type ForeignVerifier = (hash: string, password: string) => Promise<boolean | 'partial'>;

/** Options of `passwordCredentials`. */
export interface PasswordCredentialsOptions<User extends PasswordUser> {
  /**
   * Finds the user whom a log-in names, or returns nothing. If it throws, or takes longer than
   * 20 s, the answer is 503, and the log-in counts against nothing.
   *
   * @param login 1–256 characters without control or format characters, as the client sent it: fold
   *   its case if yours are folded
   */
  findUser(login: string): Promise<User | null | undefined>;
  /**
   * Replaces the stored text after a log-in, if it has fewer iterations than now, another format,
   * or the lengths or upper-case digits of another implementation. A bcrypt text is kept if bcrypt
   * ignores a part of the password: what is beyond 72 bytes. It must compare and
   * swap: the user may have a new password by now (`… where id = ? and password_hash = oldHash`).
   * If it fails, or takes longer than 5 s, the logger gets the error and the next log-in tries
   * again. Default: nothing is replaced.
   */
  updateHash?(user: User, oldHash: string, newHash: string): Promise<unknown>;
  /**
   * Judges a second factor, such as the code of an authenticator app. Called after a right
   * password: `true` lets the user in.
   *
   * - `'required'`, because no code was sent: the answer is 401 `second_factor_required`. It counts
   *   as no failure, and sets no cookie. The client sends login and password again, with the code.
   * - `false`, because it is wrong: the log-in fails as with a wrong password, and counts as such.
   *   Return it for every wrong code: if it throws, or takes longer than 30 s, the answer is 503,
   *   and only the address counts.
   *
   * Codes can be used again unless you refuse the time steps before the last one: see the guide.
   * Default: the password is enough.
   *
   * @param credentials everything that the client has sent
   */
  secondFactor?(user: User, credentials: Credentials): boolean | 'required' | Promise<boolean | 'required'>;
  /**
   * Verifiers for stored texts of other formats while users migrate, by the tag the text begins
   * with: `2b` for `$2b$12$…`, `argon2id` for `$argon2id$…`, `SSHA` for `{SSHA}…`. The tag
   * `''` is for every text without one. The verifiers share the limiter.
   */
  readonly verifiers?: Readonly<Record<string, ForeignVerifier>> | undefined;
  /**
   * For new hashes and for unknown users: the number with which you set passwords. Default
   * 100,000, which is the number of the format. Give 600,000, as OWASP asks for today.
   */
  readonly iterations?: number | undefined;
  /** Default: the one for the process, 2 hashes at once and 64 waiting. */
  readonly limiter?: HashingLimiter | undefined;
  /** Default: errors go to `console`. */
  readonly logger?: Logger | undefined;
}

/**
 * Verifies the members `login` and `password` of the credentials, for `createSessions`.
 *
 * ```ts
 * const verifyCredentials = passwordCredentials({
 *   findUser: (login) => users.findByLogin(login),
 *   updateHash: (user, oldHash, newHash) => users.swapHash(user.uid, oldHash, newHash),
 *   iterations: 600_000,
 * });
 * ```
 *
 * Without `loginOf`, failures count against the name that it looks for, and against no other in the
 * credentials. A verifier that wraps this one passes the client on, and then counts the same.
 *
 * A log-in takes as long as with a wrong password if the user is unknown, has no password, or has a
 * stored text that cannot be read. While foreign formats are in use, their own cost tells their
 * users from unknown ones.
 *
 * The verifier throws `hashing_busy` (503) if too many passwords wait, `unavailable` (503) if
 * `findUser` fails, and `second_factor_required` (401) as `secondFactor` says. Before it looks for
 * the user, it throws `login_invalid` or `password_invalid` (422) for impossible credentials: a
 * login outside 1–256 characters or with control or format characters, a password that is missing,
 * outside 1–1,024 bytes or with half of a surrogate pair.
 *
 * @throws TypeError when an option is unknown, of a wrong shape or out of bounds
 */
export function passwordCredentials<User extends PasswordUser>(
  options: PasswordCredentialsOptions<User>,
): VerifyCredentials {
  const { findUser, hashing, logger, secondFactor, verifiers } = resolveOptions(options);

  async function verify(
    hash: string | null | undefined,
    password: string,
    { ip }: SessionClient,
    until: number,
  ): Promise<boolean | 'partial'> {
    const tag = typeof hash === 'string' ? formatTag(hash) : OWN_FORMAT;
    if (typeof hash !== 'string' || tag === OWN_FORMAT) {
      if (typeof hash === 'string' && parsePasswordHash(hash) === undefined) {
        logger.error({ format: tag }, 'The stored password of a user cannot be read');
      }
      return await verifyPassword(hash, password, { ...hashing, ip });
    }
    const verifier = verifiers.get(tag);
    if (verifier !== undefined) {
      const limiter = hashing.limiter ?? defaultHashingLimiter;
      // A log-in that has been answered keeps no slot.
      const inTime = () => {
        const leftMs = until - performance.now();
        if (leftMs >= MIN_VERIFIER_MS) return boundedHostCall('A verifier', verifier, leftMs)(hash, password);
        throw new AuthError('hashing_busy', 'A password has waited too long to be verified', {
          retryAfterSeconds: MIN_VERIFIER_MS / 1_000,
        });
      };
      const answer = await limiter.run(inTime, { ip });
      return answer === true && isCutByBcrypt(hash, password) ? 'partial' : answer;
    }
    logger.error(
      { format: hash.length >= MIN_HASH_LENGTH && KNOWN_FORMATS.has(tag) ? tag : 'unknown' },
      'The stored password of a user is of a format that no verifier is given for',
    );
    return await verifyPassword(undefined, password, { ...hashing, ip });
  }

  async function lookUp(login: string): Promise<User | undefined> {
    try {
      return (await findUser(login)) ?? undefined;
    } catch (cause) {
      if (isAuthError(cause) && cause.status < 500) throw cause;
      throw new AuthError('unavailable', 'findUser of passwordCredentials failed', { cause });
    }
  }

  async function renew(user: User, password: string, { ip }: SessionClient): Promise<void> {
    const { passwordHash: oldHash } = user;
    if (options.updateHash === undefined || typeof oldHash !== 'string') return;
    if (!needsRehash(oldHash, hashing)) return;
    try {
      const newHash = await hashPassword(password, { ...hashing, ip });
      const update = boundedHostCall('updateHash', options.updateHash.bind(options), UPDATE_TIMEOUT_MS);
      await update(user, oldHash, newHash);
    } catch (err) {
      // The log-in has succeeded. If hashing is busy, a later log-in replaces the text.
      if (!isAuthError(err, 'hashing_busy')) logger.error({ err }, 'A stored password could not be replaced');
    }
  }

  const verifier: VerifyCredentials = async (credentials, client) => {
    objectOption('credentials', credentials);
    objectOption('client, which a wrapper of passwordCredentials passes on,', client);
    const until = performance.now() + HOST_CALL_TIMEOUT_MS;
    const password = readPassword(ownMember(credentials, 'password'));
    const login = readLogin(ownMember(credentials, 'login'));
    const user = await lookUp(login);
    // For nobody, too, or the work of a shared store tells which names have an account.
    const isOpen = (await client.mayTry?.(user === undefined ? uidOfNobody(login) : user.uid, login)) ?? true;
    const answer = await verify(isOpen ? user?.passwordHash : undefined, password, client, until);
    if (user === undefined || (answer !== true && answer !== 'partial')) return undefined;
    const factor = await secondFactor(user, credentials);
    if (factor === 'required') {
      throw new AuthError('second_factor_required', 'The password is right, and a second factor is missing');
    }
    if (factor !== true) return undefined;
    if (answer === true) await renew(user, password, client);
    return { uid: user.uid };
  };
  return Object.assign(verifier, { [readsLogin]: true });
}

/** bcrypt reads 72 bytes at most. Passlib and Django also hash before it. */
function isCutByBcrypt(hash: string, password: string): boolean {
  if (!/\$2[abxy]?\$\d\d\$/.test(hash) || /^\$?bcrypt[_-]sha256\$/.test(hash)) return false;
  return Buffer.byteLength(password, 'utf8') > MAX_BCRYPT_BYTES;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof PasswordCredentialsOptions<PasswordUser>>([
  'findUser',
  'updateHash',
  'secondFactor',
  'verifiers',
  'iterations',
  'limiter',
  'logger',
]);

function resolveOptions<User extends PasswordUser>(options: PasswordCredentialsOptions<User>) {
  refuseUnknownOptions('passwordCredentials', options, OPTION_NAMES);
  const { iterations, limiter } = options;
  if (typeof options.findUser !== 'function') throw new TypeError('findUser must be a function');
  for (const name of ['updateHash', 'secondFactor'] as const) {
    if (options[name] === undefined || typeof options[name] === 'function') continue;
    throw new TypeError(`${name} must be a function`);
  }
  const verifiers = new Map(Object.entries(options.verifiers ?? {}));
  for (const [tag, verifier] of verifiers) {
    if (typeof verifier !== 'function') throw new TypeError(`verifiers.${tag} must be a function`);
    if (tag !== OWN_FORMAT) continue;
    throw new TypeError(
      `verifiers.${tag} is the format of this package: give texts of another one another tag`,
    );
  }
  const hashing: PasswordOptions = {
    ...(iterations === undefined ? {} : { iterations }),
    ...(limiter === undefined ? {} : { limiter }),
  };
  // Throws for iterations out of bounds at construction, not at the first log-in.
  needsRehash('', hashing);
  return {
    findUser: boundedHostCall('findUser', options.findUser.bind(options), LOOKUP_TIMEOUT_MS),
    secondFactor: boundedHostCall('secondFactor', options.secondFactor?.bind(options) ?? (() => true)),
    hashing,
    logger: resolveLogger(options.logger ?? defaultLogger),
    verifiers,
  };
}

function formatTag(hash: string): string {
  const [, tag, directoryTag] = FORMAT_TAG.exec(hash) ?? [];
  return tag ?? directoryTag ?? '';
}

function readPassword(password: unknown): string {
  if (isPossiblePassword(password)) return password;
  throw new AuthError('password_invalid', `A password has 1 to ${MAX_PASSWORD_BYTES} bytes of UTF-8 text`);
}

import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { integerOption, objectOption } from '../../../toolkit/src/options.ts';
import { AuthError } from '../errors.ts';
import { hasLoneSurrogate } from '../text/well-formed-text.ts';
import { createHashingLimiter, type HashingLimiter } from './hashing-limiter.ts';
import {
  DEFAULT_ITERATIONS,
  formatPasswordHash,
  HASH_BYTES,
  isOwnForm,
  MAX_ITERATIONS,
  type PasswordHash,
  parsePasswordHash,
  SALT_BYTES,
} from './password-hash-text.ts';

/** In bytes of UTF-8. Longer input is refused before any hashing. */
export const MAX_PASSWORD_BYTES = 1024;

/** The limiter of every call that has none of its own. */
export const defaultHashingLimiter = createHashingLimiter();
const dummySalt = randomBytes(SALT_BYTES);

export interface PasswordOptions {
  /**
   * PBKDF2 iterations of new hashes. 100,000–10,000,000, default 100,000, which is the number of
   * the format. Give 600,000, as OWASP asks for today.
   */
  readonly iterations?: number;
  /** Default: one limiter for the process, 2 hashes at once and 64 waiting. */
  readonly limiter?: HashingLimiter;
  /** The address of the client: the limiter serves networks in turn. Default: none. */
  readonly ip?: string | undefined;
}

/**
 * Hashes a password with PBKDF2-HMAC-SHA256 and a random salt.
 *
 * The result is `pbkdf2$<iterations>$<salt hex>$<hash hex>`, the one text to store. The password is
 * neither trimmed nor normalised.
 *
 * ```ts
 * const stored = await hashPassword(password, { iterations: 600_000 });
 * ```
 *
 * @param password 1–1,024 bytes of UTF-8, without U+0000
 * @throws AuthError `password_invalid` (empty, too long, U+0000, half of a surrogate pair), `hashing_busy`
 */
export async function hashPassword(password: string, options: PasswordOptions = {}): Promise<string> {
  const iterations = targetIterations(options);
  const bytes = passwordBytes(password);
  if (bytes === undefined) {
    throw new AuthError('password_invalid', `A password has 1 to ${MAX_PASSWORD_BYTES} bytes of UTF-8 text`);
  }
  const salt = randomBytes(SALT_BYTES);
  const hash = await deriveHash(bytes, salt, iterations, options);
  return formatPasswordHash({ iterations, salt, hash });
}

/**
 * Verifies a password against a stored hash.
 *
 * Pass the result of the user's lookup, also if there is no user. For `undefined` and `null` it
 * computes a hash of the same cost and returns `false`, so that timing does not tell which users
 * exist. That cost is `options.iterations`, which should therefore be the same as for
 * {@link hashPassword}.
 *
 * A stored text that cannot be read costs the same. A wrong password does too if the stored text
 * has fewer iterations or a longer hash. A stored text with more iterations takes longer. A
 * password outside the bounds returns `false` without any hashing.
 *
 * It reads texts that other implementations wrote: 1–10,000,000 iterations, a salt of 8–64 bytes, a
 * hash of 20–64, hexadecimal digits in either case.
 *
 * ```ts
 * const isRight = await verifyPassword(user?.passwordHash, password, { iterations: 600_000 });
 * ```
 *
 * @throws AuthError `hashing_busy`
 */
export async function verifyPassword(
  hash: string | null | undefined,
  password: string,
  options: PasswordOptions = {},
): Promise<boolean> {
  const iterations = targetIterations(options);
  const bytes = passwordBytes(password);
  if (bytes === undefined) return false;
  const stored = parsePasswordHash(hash);
  if (stored === undefined) {
    await deriveHash(bytes, dummySalt, iterations, options);
    return false;
  }
  const verify = async () => {
    const isRight = await isHashOf(bytes, stored);
    const missing = iterations - stored.iterations;
    // In the same slot, because waiting for another would take longer than an unknown user does.
    if (!isRight && missing > 0) await pbkdf2Sha256(bytes, dummySalt, missing, HASH_BYTES);
    return isRight;
  };
  const cost = Math.max(iterations, stored.iterations);
  return await limiterOf(options).run(verify, { ip: options.ip, iterations: cost });
}

/** A wrong password costs the iterations once, even if the hash has two blocks. */
async function isHashOf(password: Buffer, { salt, iterations, hash }: PasswordHash): Promise<boolean> {
  const first = hash.subarray(0, BLOCK_BYTES);
  const isFirstRight = timingSafeEqual(await pbkdf2Sha256(password, salt, iterations, first.length), first);
  if (!isFirstRight || hash.length <= BLOCK_BYTES) return isFirstRight;
  return timingSafeEqual(await pbkdf2Sha256(password, salt, iterations, hash.length), hash);
}

/**
 * Tells whether a stored hash should be replaced at the next successful log-in: because it cannot
 * be read, has fewer iterations than now, or has as many with lengths or upper-case digits of
 * another implementation. A hash with more iterations is kept in any form: replacing it would
 * weaken it.
 *
 * ```ts
 * if (needsRehash(stored, { iterations: 600_000 })) await replaceWithHashOf(password);
 * ```
 */
export function needsRehash(hash: string, options: PasswordOptions = {}): boolean {
  const target = targetIterations(options);
  const stored = parsePasswordHash(hash);
  if (stored === undefined || stored.iterations < target) return true;
  return stored.iterations === target && !isOwnForm(hash);
}

function targetIterations(options: PasswordOptions): number {
  objectOption('options', options);
  const { iterations = DEFAULT_ITERATIONS, limiter, ip, ...rest } = options;
  // A misspelt option would silently hash with fewer iterations.
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new TypeError(`${unknown} is no option of password hashing`);
  return integerOption('iterations', iterations, { min: DEFAULT_ITERATIONS, max: MAX_ITERATIONS });
}

/** Tells whether a password is possible: text of 1–1,024 bytes of UTF-8. */
export function isPossiblePassword(password: unknown): password is string {
  return passwordBytes(password) !== undefined;
}

/** Returns the bytes to hash, or `undefined` for anything that is not an acceptable password. */
function passwordBytes(password: unknown): Buffer | undefined {
  // A UTF-16 code unit never takes less than one byte: this bounds the work of the checks below.
  if (typeof password !== 'string' || password.length > MAX_PASSWORD_BYTES) return undefined;
  // HMAC pads its key with zeros: a password and the same with U+0000 at its end would be one.
  if (hasLoneSurrogate(password) || password.includes('\0')) return undefined;
  const bytes = Buffer.from(password, 'utf8');
  return bytes.length >= 1 && bytes.length <= MAX_PASSWORD_BYTES ? bytes : undefined;
}

function deriveHash(
  password: Buffer,
  salt: Buffer,
  iterations: number,
  options: PasswordOptions,
): Promise<Buffer> {
  const derive = () => pbkdf2Sha256(password, salt, iterations, HASH_BYTES);
  return limiterOf(options).run(derive, { ip: options.ip, iterations });
}

function limiterOf({ limiter = defaultHashingLimiter }: PasswordOptions): HashingLimiter {
  return limiter;
}

/** What one run of the iterations derives. A longer key costs one run for each such block. */
const BLOCK_BYTES = 32;

const derive = promisify(pbkdf2);

/** Derives a key with PBKDF2-HMAC-SHA256 (RFC 8018 section 5.2) on a thread of libuv's pool. */
export function pbkdf2Sha256(
  password: Buffer,
  salt: Buffer,
  iterations: number,
  keyBytes: number,
): Promise<Buffer> {
  return derive(password, salt, iterations, keyBytes, 'sha256');
}

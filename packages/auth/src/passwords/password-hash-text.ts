/**
 * The most a stored text may ask for: about 4 s of one core. More is a denial of service, or a
 * corrupt row.
 */
export const MAX_ITERATIONS = 10_000_000;
/** The number that the format names: `pbkdf2$100000$…`. */
export const DEFAULT_ITERATIONS = 100_000;
/** NIST SP 800-132 section 5.1 asks for 16 bytes at least. */
export const SALT_BYTES = 16;
export const HASH_BYTES = 32;

/** A salt of 8–64 bytes and a hash of 20–64: what other implementations write in this format. */
const READABLE_FORM = /^pbkdf2\$([1-9]\d{0,7})\$((?:[0-9a-fA-F]{2}){8,64})\$((?:[0-9a-fA-F]{2}){20,64})$/;
const OWN_FORM = /^pbkdf2\$[1-9]\d{0,7}\$[0-9a-f]{32}\$[0-9a-f]{64}$/;

export interface PasswordHash {
  readonly iterations: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Writes `pbkdf2$<iterations>$<salt hex>$<hash hex>`. */
export function formatPasswordHash({ iterations, salt, hash }: PasswordHash): string {
  return `pbkdf2$${iterations}$${salt.toString('hex')}$${hash.toString('hex')}`;
}

/** Tells whether a text has the lengths and the spelling that {@link formatPasswordHash} writes. */
export function isOwnForm(text: string): boolean {
  return OWN_FORM.test(text);
}

/**
 * Parses a stored text of this package or of another implementation, or gives `undefined` for any
 * other spelling, length or number of iterations.
 */
export function parsePasswordHash(text: unknown): PasswordHash | undefined {
  const match = typeof text === 'string' ? READABLE_FORM.exec(text) : null;
  if (match === null) return undefined;
  const [, iterations, salt, hash] = match;
  if (iterations === undefined || salt === undefined || hash === undefined) return undefined;
  if (Number(iterations) > MAX_ITERATIONS) return undefined;
  return {
    iterations: Number(iterations),
    salt: Buffer.from(salt, 'hex'),
    hash: Buffer.from(hash, 'hex'),
  };
}

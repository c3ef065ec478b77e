import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62 } from './base62.ts';

const RANDOM_BYTES = 32;
/** 62^43 > 2^256 > 62^42. */
const RANDOM_LENGTH = 43;
/** 62^6 > 2^32 > 62^5. */
const CHECKSUM_LENGTH = 6;
const DISPLAY_LENGTH = 8;

const PREFIX_FORM = /^[a-z][a-z0-9_]{1,31}$/;
const KEY_FORM = /^([a-z][a-z0-9_]{1,31})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** A key as it is handed out once. */
export type GeneratedApiKey = {
  /** The whole key: show it once, never store it. */
  readonly key: string;
  /** The prefix and the first 8 random characters: safe to list, enough to recognise a key by. */
  readonly displayPrefix: string;
  /** `sha256$<hex>`: the only form to store. */
  readonly hash: string;
};

export type ParsedApiKey = {
  readonly prefix: string;
  readonly displayPrefix: string;
  /**
   * Whether the checksum is right. A wrong one is a typo or an invention: no lookup can find it.
   */
  readonly isIntact: boolean;
};

/**
 * Generates an API key:
 * `<prefix>_<43 base62 characters of 32 random bytes><6 base62 characters of CRC-32>`.
 *
 * The prefix says whose key it is when one leaks; the checksum lets a scanner, and
 * {@link parseApiKey}, tell a key from a look-alike without a database.
 *
 * @param prefix 2–32 characters: a lower-case letter, then lower-case letters, digits or `_`
 * @throws TypeError when the prefix is of another form
 */
export function generateApiKey(prefix: string): GeneratedApiKey {
  if (typeof prefix !== 'string' || !PREFIX_FORM.test(prefix)) {
    throw new TypeError(`prefix must match ${PREFIX_FORM.source}, got ${JSON.stringify(prefix)}`);
  }
  const random = base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_LENGTH);
  const body = `${prefix}_${random}`;
  const key = body + checksum(body);
  return { key, displayPrefix: displayPrefix(prefix, random), hash: hashApiKey(key) };
}

/**
 * Hashes an API key for storage and lookup: `sha256$` and the hex SHA-256 of the whole key text.
 *
 * One round is enough for 256 random bits.
 *
 * @throws TypeError when the key is no string
 */
export function hashApiKey(key: string): string {
  if (typeof key !== 'string') throw new TypeError('key must be a string');
  return `sha256$${createHash('sha256').update(key, 'utf8').digest('hex')}`;
}

/**
 * Reads a key of the form that {@link generateApiKey} makes, or gives `undefined` for any other
 * text.
 *
 * It proves nothing about who holds the key: only the lookup of its hash does.
 */
export function parseApiKey(key: string): ParsedApiKey | undefined {
  const match = typeof key === 'string' ? KEY_FORM.exec(key) : null;
  if (match === null) return undefined;
  const [, prefix, random, check] = match;
  if (prefix === undefined || random === undefined) return undefined;
  return {
    prefix,
    displayPrefix: displayPrefix(prefix, random),
    isIntact: checksum(`${prefix}_${random}`) === check,
  };
}

function displayPrefix(prefix: string, random: string): string {
  return `${prefix}_${random.slice(0, DISPLAY_LENGTH)}`;
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

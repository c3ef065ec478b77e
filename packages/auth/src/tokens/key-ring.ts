import { webcrypto } from 'node:crypto';
import { hasLoneSurrogate } from '../well-formed-text.ts';
import { createHmacSha256 } from './hmac-sha256.ts';
import { MAX_TOKEN_LENGTH } from './token-text.ts';

/** RFC 7518 section 3.2: a key at least as long as the hash output. */
export const MIN_KEY_BYTES = 32;
/** Verifying a token without `kid` tries every key, so their number bounds that work. */
export const MAX_KEYS = 8;

const KID_FORM = /^[\w.~-]{1,64}$/;

/** An HMAC secret: text (its UTF-8 bytes count) or bytes, at least 32 of them. */
export type SigningKey = string | Uint8Array;

export interface NamedSigningKey {
  /** 1–64 characters of letters, digits, `.`, `_`, `~`, `-`; written into the header of each token. */
  readonly kid: string;
  readonly key: SigningKey;
}

export interface RingKey {
  readonly kid: string | undefined;
  /** Gives the HS256 signature of `header.payload` (RFC 7518 section 3.2): the third segment of the token. */
  sign(signed: string): string;
  /** The key for jose. Importing happens once, at the first use. */
  secret(): Promise<webcrypto.CryptoKey>;
}

/** The keys of one instance: the first signs, all verify. */
export interface KeyRing {
  readonly signingKey: RingKey;
  /** The keys a token may be verified with: the one its `kid` names, or all when it has none. */
  verificationKeys(kid: string | undefined): readonly RingKey[];
}

export interface KeyRingOptions {
  readonly signingKey?: SigningKey | undefined;
  readonly signingKeys?: readonly NamedSigningKey[] | undefined;
}

/**
 * Builds the key ring from exactly one of `signingKey` and `signingKeys`.
 *
 * Bytes are copied: a buffer that the caller clears afterwards does not change the key. An unknown `kid` finds
 * no key, with one key too; there is no fallback.
 *
 * @throws TypeError when a key is short, is a PEM or a JWK (Set) instead of a secret, or when a `kid` is missing,
 *   malformed or used twice. No message carries a key.
 */
export function createKeyRing(options: KeyRingOptions): KeyRing {
  const keys = readKeys(options);
  const byKid = new Map(keys.map((key) => [key.kid, key]));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new TypeError('signingKeys must hold at least one key');

  return Object.freeze({
    signingKey,
    verificationKeys(kid: string | undefined) {
      if (kid === undefined) return keys;
      const key = byKid.get(kid);
      return key === undefined ? [] : [key];
    },
  });
}

function readKeys({ signingKey, signingKeys }: KeyRingOptions): readonly RingKey[] {
  if (signingKeys === undefined) return [createRingKey('signingKey', undefined, signingKey)];
  if (signingKey !== undefined) throw new TypeError('Give either signingKey or signingKeys, not both');
  if (!Array.isArray(signingKeys) || signingKeys.length < 1 || signingKeys.length > MAX_KEYS) {
    throw new TypeError(`signingKeys must be an array of 1 to ${MAX_KEYS} keys`);
  }
  const named: readonly unknown[] = signingKeys;
  const kids = new Set<string>();
  return named.map((entry, index) => {
    const option = `signingKeys[${index}]`;
    if (typeof entry !== 'object' || entry === null) throw new TypeError(`${option} must be { kid, key }`);
    const kid = 'kid' in entry ? entry.kid : undefined;
    if (typeof kid !== 'string' || !KID_FORM.test(kid)) {
      throw new TypeError(`${option}.kid must be 1 to 64 characters of A-Z a-z 0-9 . _ ~ -`);
    }
    if (kids.has(kid)) throw new TypeError(`${option}.kid repeats "${kid}"`);
    kids.add(kid);
    return createRingKey(`${option}.key`, kid, 'key' in entry ? entry.key : undefined);
  });
}

function createRingKey(option: string, kid: string | undefined, key: unknown): RingKey {
  const bytes = readSecret(option, key);
  let imported: Promise<webcrypto.CryptoKey> | undefined;
  return Object.freeze({
    kid,
    sign: createHmacSha256(bytes, MAX_TOKEN_LENGTH),
    secret() {
      imported ??= webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
        'sign',
        'verify',
      ]);
      return imported;
    },
  });
}

function readSecret(option: string, key: unknown): Uint8Array<ArrayBuffer> {
  if (typeof key !== 'string' && !(key instanceof Uint8Array)) {
    throw new TypeError(`${option} must be text or bytes (Uint8Array), at least ${MIN_KEY_BYTES} bytes long`);
  }
  if (typeof key === 'string' && hasLoneSurrogate(key)) {
    throw new TypeError(`${option} must be well-formed text: it holds half of a surrogate pair`);
  }
  const bytes = new Uint8Array(typeof key === 'string' ? Buffer.from(key, 'utf8') : key);
  if (bytes.length < MIN_KEY_BYTES) {
    throw new TypeError(`${option} must be at least ${MIN_KEY_BYTES} bytes long, got ${bytes.length}`);
  }
  refuseKeyDocument(option, bytes);
  return bytes;
}

/**
 * A public key is no secret: whoever knows it could mint tokens if its text were the HMAC key. Searching for the
 * PEM marker only at the start, or only in text, is how other libraries were fixed two times too few; environment
 * variables carry such documents in base64 as well.
 */
function refuseKeyDocument(option: string, bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes);
  // Taking out NUL turns UTF-16 into something to search.
  const text = buffer.toString('latin1').replaceAll('\0', '');
  const readings = [buffer.toString('utf8'), text, Buffer.from(text, 'base64').toString('utf8')];
  if (readings.some((reading) => /-----BEGIN/i.test(reading))) {
    throw new TypeError(`${option} must be a random secret: it holds a PEM document`);
  }
  if (readings.some(isJsonDocument)) {
    throw new TypeError(
      `${option} must be a random secret: it is a JSON document, such as a JWK or a JWK Set`,
    );
  }
}

function isJsonDocument(text: string): boolean {
  try {
    // `trim` also takes off a byte order mark, which JSON.parse would stumble over.
    const value: unknown = JSON.parse(text.trim());
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

import { hkdfSync, webcrypto } from 'node:crypto';
import { createHmacSha256 } from './hmac-sha256.ts';
import { readSigningSecret } from './signing-secret.ts';
import { MAX_TOKEN_LENGTH } from './token-text.ts';

/** Verifying a token without `kid` tries every key, so their number bounds that work. */
const MAX_KEYS = 8;

/** The output of SHA-256. */
const DERIVED_BYTES = 32;

const KID_FORM = /^[\w.~-]{1,64}$/;

/** An HMAC secret: text (its UTF-8 bytes count) or bytes, at least 32 of them, drawn at random. */
export type SigningKey = string | Uint8Array;

export interface NamedSigningKey {
  /**
   * 1–64 characters of letters, digits, `.`, `_`, `~`, `-`; written into the header of each token.
   */
  readonly kid: string;
  readonly key: SigningKey;
}

export interface RingKey {
  readonly kid: string | undefined;
  /**
   * Gives the HS256 signature of `header.payload` (RFC 7518 section 3.2): the third segment of the
   * token.
   */
  sign(signed: string): string;
  /**
   * Derives a secret of 32 bytes for another use than signing: HKDF-SHA-256 (RFC 5869) under a
   * fixed label.
   */
  deriveSecret(label: string): Uint8Array;
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
 * Bytes are copied: a buffer that the caller clears afterwards does not change the key. An unknown
 * `kid` finds no key, with one key too; there is no fallback.
 *
 * @throws TypeError when a key is missing, short or no secret, or when a `kid` is missing,
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
  const bytes = readSigningSecret(option, key);
  let imported: Promise<webcrypto.CryptoKey> | undefined;
  return Object.freeze({
    kid,
    sign: createHmacSha256(bytes, MAX_TOKEN_LENGTH),
    deriveSecret: (label: string) => new Uint8Array(hkdfSync('sha256', bytes, '', label, DERIVED_BYTES)),
    secret() {
      imported ??= webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
        'sign',
        'verify',
      ]);
      return imported;
    },
  });
}

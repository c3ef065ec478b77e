import { hasLoneSurrogate } from '../text/well-formed-text.ts';
import { keyDocumentIn } from './key-document.ts';
import { type Reading, readingsOf } from './key-encodings.ts';

/** RFC 7518 section 3.2: a key at least as long as the hash output. */
export const MIN_KEY_BYTES = 32;
/**
 * 32 random bytes have fewer different values once in 10^36, and 32 random hex digits once in 10^7.
 */
const MIN_DISTINCT_BYTES = 8;
/** The longest pattern whose repetition is noticed, in bytes. */
const MAX_PERIOD_BYTES = 16;
/**
 * Of fewer bytes the number of different values says nothing: 32 hex digits, the fewest a key has,
 * are 16 bytes.
 */
const MIN_JUDGED_BYTES = 16;

/**
 * Reads an HMAC secret, as a copy.
 *
 * What everybody can know is no secret: a public key's document and a placeholder. Both are looked
 * for in all that the bytes may be a spelling of.
 *
 * @throws TypeError naming the option and the bound; never the key
 */
export function readSigningSecret(option: string, key: unknown): Uint8Array<ArrayBuffer> {
  if (typeof key !== 'string' && !(key instanceof Uint8Array)) {
    const got = key === undefined || key === null ? `${key}${WHERE_TO_LOOK}` : typeof key;
    throw new TypeError(
      `${option} must be text or bytes (Uint8Array), at least ${MIN_KEY_BYTES} bytes long, got ${got}`,
    );
  }
  if (typeof key === 'string' && hasLoneSurrogate(key)) {
    throw new TypeError(`${option} must be well-formed text: it holds half of a surrogate pair`);
  }
  const bytes = new Uint8Array(typeof key === 'string' ? Buffer.from(key, 'utf8') : key);
  if (bytes.length < MIN_KEY_BYTES) {
    const hint = bytes.length === 0 ? WHERE_TO_LOOK : '';
    throw new TypeError(`${option} must be at least ${MIN_KEY_BYTES} bytes long, got ${bytes.length}${hint}`);
  }
  for (const reading of readingsOf(bytes)) {
    const fault = keyDocumentIn(reading) ?? patternIn(reading);
    if (fault !== undefined) throw new TypeError(`${option} must be a random secret: ${fault}`);
  }
  return bytes;
}

const WHERE_TO_LOOK = ': is the environment variable set?';

function patternIn(reading: Reading): string | undefined {
  if (reading.length < MIN_JUDGED_BYTES) return undefined;
  if (new Set(reading).size < MIN_DISTINCT_BYTES)
    return `it has fewer than ${MIN_DISTINCT_BYTES} different bytes`;
  for (let period = 1; period <= Math.min(MAX_PERIOD_BYTES, reading.length / 2); period += 1) {
    if (reading.slice(period) === reading.slice(0, -period)) return `it repeats the same ${period} bytes`;
  }
  return undefined;
}

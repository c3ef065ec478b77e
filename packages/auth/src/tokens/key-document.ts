import type { Reading } from './key-spellings.ts';

/** Tells which kind of published key material, or of a document that holds a key, a reading is. */
export function keyDocumentIn(reading: Reading): string | undefined {
  return KINDS.find(([, matches]) => matches(reading))?.[0];
}

const KINDS: readonly (readonly [kind: string, matches: (reading: Reading) => boolean])[] = [
  // RFC 7468, and RFC 4716 with one hyphen less; after other text, too.
  ['it holds a PEM document', (reading) => /----[- ]BEGIN/i.test(reading)],
  ['it is a JSON document, such as a JWK or a JWK Set', isJsonDocument],
  ['it is an OpenSSH key', isSshKey],
  ['it is DER, such as the body of a PEM document', isDerDocument],
];

function isJsonDocument(reading: Reading): boolean {
  // The member that every JWK has (RFC 7517 section 4.1), whatever stands around the JSON and however it is escaped.
  if (/"kty\\*"\s*:/.test(reading)) return true;
  try {
    const value: unknown = JSON.parse(reading);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** A line of `authorized_keys`, the blob in it (RFC 4253 section 6.6), or the body of a private key. */
function isSshKey(reading: Reading): boolean {
  return (
    /\b(?:ssh|ecdsa-sha2|sk)-[\w.@-]{1,64}[\t +]+AAAA/.test(reading) ||
    /^\0\0\0[^\0](?:ssh|ecdsa-sha2|sk)-/.test(reading) ||
    reading.startsWith('openssh-key-v1\0')
  );
}

/** What keys, certificates and requests are made of: X.690 section 8, universal and context-specific tags. */
const DER_TAGS: ReadonlySet<number> = new Set([
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x30, 0x31],
  ...[0x80, 0x81, 0x82, 0x83, 0xa0, 0xa1, 0xa2, 0xa3],
]);
const INTEGER = 0x02;
const SEQUENCE = 0x30;

interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

/**
 * Whether the bytes are one SEQUENCE to the last byte, of two elements or more that begin with an INTEGER or a SEQUENCE:
 * public and private keys, certificates and their requests are. Of 10^10 random keys less than one is.
 */
function isDerDocument(reading: Reading): boolean {
  if (reading.charCodeAt(0) !== SEQUENCE) return false;
  const [document, ...rest] = derElements(Buffer.from(reading, 'latin1')) ?? [];
  if (document === undefined || rest.length > 0) return false;
  const [first, second] = derElements(document.content) ?? [];
  return second !== undefined && (first?.tag === INTEGER || first?.tag === SEQUENCE);
}

/** The elements that the bytes consist of, or `undefined` where they consist of none. */
function derElements(bytes: Buffer): readonly DerElement[] | undefined {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, short = 0] = bytes.subarray(at);
    const lengthBytes = short < 0x80 ? 0 : short - 0x80;
    const start = at + 2 + lengthBytes;
    if (!DER_TAGS.has(tag) || lengthBytes > 4 || start > bytes.length) return undefined;
    const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes);
    at = start + length;
    if (short === 0x80 || at > bytes.length) return undefined;
    elements.push({ tag, content: bytes.subarray(start, at) });
  }
  return elements;
}

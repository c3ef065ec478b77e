import type { Reading } from './key-spellings.ts';

/** Tells which kind of published key material, or of a document that holds a key, a reading is. */
export function keyDocumentIn(reading: Reading): string | undefined {
  return KINDS.find(([, matches]) => matches(reading))?.[0];
}

const KINDS: readonly (readonly [kind: string, matches: (reading: Reading) => boolean])[] = [
  // RFC 7468, and RFC 4716 with one hyphen less; after other text, too, and either line by itself.
  ['it holds a PEM document', (reading) => /----[- ](?:BEGIN|END)/i.test(reading)],
  ['it is a JSON document, such as a JWK or a JWK Set', isJsonDocument],
  ['it is an OpenSSH key', isSshKey],
  ['it is DER, such as the body of a PEM document', isDerDocument],
  ['it holds the start of a key in DER', holdsDerKey],
  ['it is a PuTTY key', (reading) => /PuTTY-User-Key-File-\d/i.test(reading)],
  // XML Signature section 6.4, and .NET's RSA.ToXmlString.
  ['it is a key in XML', (reading) => /<(?:\w{1,16}:)?(?:RSA|DSA|EC)KeyValue\b/.test(reading)],
];

/**
 * Algorithm identifiers (RFC 5480, 8017, 8410) and named curves, which public and private keys and
 * certificates hold near their start. The shortest has 48 bits: a random key has one of them by
 * chance once in 10^12.
 */
const KEY_ALGORITHMS: readonly Reading[] = [
  '06092a864886f70d0101',
  '06072a8648ce3d0201',
  '06082a8648ce3d030107',
  '300506032b65',
].map((hex) => Buffer.from(hex, 'hex').toString('latin1'));

/** Whether it holds a key in DER that lacks its end, or has something around it. */
function holdsDerKey(reading: Reading): boolean {
  return KEY_ALGORITHMS.some((algorithm) => reading.includes(algorithm)) || isPkcs1(reading);
}

/**
 * PKCS #1 names no algorithm: a SEQUENCE of the modulus, which begins with a zero, or of the
 * version 0 and the modulus.
 */
function isPkcs1(reading: Reading): boolean {
  if (!reading.startsWith('\x30\x82')) return false;
  const isPublic = reading.startsWith('\x02\x82', 4) && reading.charCodeAt(8) === 0;
  return isPublic || reading.startsWith('\x02\x01\0\x02\x82', 4);
}

function isJsonDocument(reading: Reading): boolean {
  // The member that every JWK has (RFC 7517 section 4.1), whatever stands around the JSON and
  // however it is escaped; and in JavaScript or YAML, with a value that RFC 7518 section 6.1 or RFC
  // 8037 registers.
  if (/"kty\\*"\s*:|\bkty\b\W{0,8}(?:RSA|EC|OKP|oct)\b/.test(reading)) return true;
  try {
    const value: unknown = JSON.parse(reading);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/**
 * A line of `authorized_keys`, the blob in it (RFC 4253 section 6.6), or the body of a private key.
 */
function isSshKey(reading: Reading): boolean {
  return (
    /\b(?:ssh|ecdsa-sha2|sk)-[\w.@-]{1,64}[\t +]+AAAA/.test(reading) ||
    /^\0\0\0[^\0](?:ssh|ecdsa-sha2|sk)-/.test(reading) ||
    reading.startsWith('openssh-key-v1\0')
  );
}

/**
 * What keys, certificates and requests are made of: X.690 section 8, universal and context-specific
 * tags.
 */
const DER_TAGS: ReadonlySet<number> = new Set([
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x30, 0x31, 0x80, 0x81, 0x82, 0x83, 0xa0,
  0xa1, 0xa2, 0xa3,
]);
const INTEGER = 0x02;
const SEQUENCE = 0x30;

interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  /** Where the next one begins. */
  readonly end: number;
}

/**
 * Whether the bytes are one SEQUENCE to the last byte (but for white space and zeros at the end of
 * a file), of two elements or more that begin with an INTEGER or a SEQUENCE: public and private
 * keys, certificates and their requests are. Of 10^10 random keys less than one is.
 */
function isDerDocument(reading: Reading): boolean {
  if (reading.charCodeAt(0) !== SEQUENCE) return false;
  const bytes = Buffer.from(reading, 'latin1');
  const document = derElement(bytes, 0);
  if (document === undefined || !/^[\s\0]*$/.test(reading.slice(document.end))) return false;
  const [first, second] = derElements(document.content) ?? [];
  return second !== undefined && (first?.tag === INTEGER || first?.tag === SEQUENCE);
}

/** The elements that the bytes consist of, or `undefined` where they consist of none. */
function derElements(bytes: Buffer): readonly DerElement[] | undefined {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const element = derElement(bytes, at);
    if (element === undefined) return undefined;
    elements.push(element);
    at = element.end;
  }
  return elements;
}

function derElement(bytes: Buffer, at: number): DerElement | undefined {
  const [tag = 0, short = 0] = bytes.subarray(at);
  const lengthBytes = short < 0x80 ? 0 : short - 0x80;
  const start = at + 2 + lengthBytes;
  if (!DER_TAGS.has(tag) || lengthBytes > 4 || start > bytes.length) return undefined;
  const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes);
  const end = start + length;
  if (short === 0x80 || end > bytes.length) return undefined;
  return { tag, content: bytes.subarray(start, end), end };
}

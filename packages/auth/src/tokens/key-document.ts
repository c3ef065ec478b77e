import type { Reading } from './key-encodings.ts';

/** Names the kind of published key material, or of document with a key, that a reading is. */
export function keyDocumentIn(reading: Reading): string | undefined {
  return KINDS.find(([, matches]) => matches(reading))?.[0];
}

const KINDS: readonly (readonly [kind: string, matches: (reading: Reading) => boolean])[] = [
  // RFC 7468, or RFC 4716, which has one hyphen less. Other text may precede it, and the BEGIN or
  // the END suffices.
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
 * The algorithm identifiers (RFC 5480, 8017, 8410) and named curves that public keys, private keys
 * and certificates have near their start. The shortest has 48 bits: a random key contains one of
 * them by chance once in 10^12.
 */
const KEY_ALGORITHMS: readonly Reading[] = [
  '06092a864886f70d0101',
  '06072a8648ce3d0201',
  '06082a8648ce3d030107',
  '300506032b65',
].map((hex) => Buffer.from(hex, 'hex').toString('latin1'));

/** True if the reading contains a DER key that lacks its end or has other bytes around it. */
function holdsDerKey(reading: Reading): boolean {
  return KEY_ALGORITHMS.some((algorithm) => reading.includes(algorithm)) || isPkcs1(reading);
}

/**
 * PKCS #1 names no algorithm. Its key is a SEQUENCE that starts with the modulus, whose first byte
 * is zero, or with the version 0 and the modulus.
 */
function isPkcs1(reading: Reading): boolean {
  if (!reading.startsWith('\x30\x82')) return false;
  const isPublic = reading.startsWith('\x02\x82', 4) && reading.charCodeAt(8) === 0;
  return isPublic || reading.startsWith('\x02\x01\0\x02\x82', 4);
}

function isJsonDocument(reading: Reading): boolean {
  // Every JWK has this member (RFC 7517 section 4.1), with any text around the JSON and any
  // escaping. JavaScript and YAML leave out the quotes, so there the value must be one that RFC
  // 7518 section 6.1 or RFC 8037 registers.
  if (/"kty\\*"\s*:|\bkty\b\W{0,8}(?:RSA|EC|OKP|oct)\b/.test(reading)) return true;
  try {
    const value: unknown = JSON.parse(reading);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/**
 * True for an entry of `authorized_keys`, the blob in it (RFC 4253 section 6.6), and the body of a
 * private key.
 */
function isSshKey(reading: Reading): boolean {
  return (
    /\b(?:ssh|ecdsa-sha2|sk)-[\w.@-]{1,64}[\t +]+AAAA/.test(reading) ||
    /^\0\0\0[^\0](?:ssh|ecdsa-sha2|sk)-/.test(reading) ||
    reading.startsWith('openssh-key-v1\0')
  );
}

/**
 * The tags that occur in keys, certificates and certificate requests: universal and
 * context-specific ones (X.690 section 8).
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
  /** The offset at which the next element starts. */
  readonly end: number;
}

/**
 * True if the bytes are one SEQUENCE of two or more elements, the first of which is an INTEGER or a
 * SEQUENCE. Public and private keys, certificates and certificate requests have this form; fewer
 * than one in 10^10 random keys has it.
 *
 * The SEQUENCE must reach the last byte, except for the white space and zeros that may end a file.
 */
function isDerDocument(reading: Reading): boolean {
  if (reading.charCodeAt(0) !== SEQUENCE) return false;
  const bytes = Buffer.from(reading, 'latin1');
  const document = derElement(bytes, 0);
  if (document === undefined || !/^[\s\0]*$/.test(reading.slice(document.end))) return false;
  const [first, second] = derElements(document.content) ?? [];
  return second !== undefined && (first?.tag === INTEGER || first?.tag === SEQUENCE);
}

/** Returns the elements that make up the bytes, or `undefined` if the bytes are anything else. */
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

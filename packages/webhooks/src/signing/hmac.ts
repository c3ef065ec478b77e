/**
 * A WebCrypto key. This spelling makes the declarations independent of the DOM's types and of
 * Node's.
 */
export type HmacKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

/** The length of an HMAC-SHA256 value, in bytes. */
export const SIGNATURE_BYTES = 32;

/** Imports bytes as an HMAC-SHA256 key for one usage. */
export function hmacKey(bytes: Uint8Array<ArrayBuffer>, usage: 'sign' | 'verify'): Promise<HmacKey> {
  return globalThis.crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}

/**
 * The bytes that a signature covers: `<id>.<timestamp>.<body>`, with the body as it is on the wire.
 */
export function signedContent(
  id: string,
  timestamp: string,
  body: string | Uint8Array,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${timestamp}.`);
  const tail = typeof body === 'string' ? encoder.encode(body) : body;
  const content = new Uint8Array(head.length + tail.length);
  content.set(head);
  content.set(tail, head.length);
  return content;
}

/** Encodes bytes as lower-case hexadecimal text. */
export function encodeHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Decodes an HMAC-SHA256 value in lower-case hexadecimal. Returns `undefined` for any other text.
 */
export function decodeHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length !== SIGNATURE_BYTES * 2 || !/^[0-9a-f]*$/.test(text)) return undefined;
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

import { WebhookError } from '../errors.ts';
import { type ReadHeader, requireHeader } from './callback-headers.ts';
import { decodeHex, SIGNATURE_BYTES } from './hmac.ts';
import { decodeBase64, secretBytes } from './secret.ts';
import { isSignedId, isSignedTimestamp } from './signed-parts.ts';

/** The name of a header set: `standard` (Standard Webhooks) or `x-webhook` (`X-Webhook-*`). */
export type SignatureSchemeName = 'standard' | 'x-webhook';

/** The claims of a header set about a request, before verification. */
export interface SignatureClaims {
  readonly id: string;
  readonly timestamp: string;
  /** At most 16 candidates of 32 bytes. The request is genuine if one of them is right. */
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
  /** The event's name, if the header set has one. It is not signed; the body is. */
  readonly event: string | undefined;
}

/** One header set: its key, its claims, and the default for the age of its timestamp. */
export interface SignatureScheme {
  readonly keyBytes: (secret: string) => Uint8Array<ArrayBuffer>;
  readonly readClaims: (read: ReadHeader) => SignatureClaims;
  /**
   * `undefined` if the timestamp is that of the delivery's creation, which may be hours before a
   * retry.
   */
  readonly defaultToleranceSeconds: number | undefined;
}

/** The most entries of `webhook-signature`. A sender has one per valid secret. */
const MAX_SIGNATURES = 16;

/**
 * The most characters of `webhook-signature`. Entries of other versions may be longer than ours.
 */
const MAX_SIGNATURE_LENGTH = 8_192;

/** Both header sets. Verification never falls back from one to the other. */
export const SIGNATURE_SCHEMES: Readonly<Record<SignatureSchemeName, SignatureScheme>> = {
  standard: {
    keyBytes: secretBytes,
    readClaims: readStandardHeaders,
    defaultToleranceSeconds: 300,
  },
  'x-webhook': {
    keyBytes: (secret) => {
      secretBytes(secret);
      return new TextEncoder().encode(secret);
    },
    readClaims: readXWebhookHeaders,
    defaultToleranceSeconds: undefined,
  },
};

function readStandardHeaders(read: ReadHeader): SignatureClaims {
  if (!read('webhook-id') && read('X-Webhook-ID')) {
    throw new WebhookError(
      'signature_missing',
      "The headers webhook-* are missing, and X-Webhook-* are there: those take scheme: 'x-webhook'.",
    );
  }
  const id = readId(read, 'webhook-id');
  const timestamp = readTimestamp(read, 'webhook-timestamp');
  const signature = requireHeader(read, 'webhook-signature');
  if (signature.length > MAX_SIGNATURE_LENGTH) throw malformed('webhook-signature');
  const entries = signature.split(' ');
  if (entries.length > MAX_SIGNATURES) throw malformed('webhook-signature');
  // Entries of other versions (v1a: asymmetric) are for other verifiers.
  const signatures = entries.filter((entry) => entry.startsWith('v1,')).flatMap(readEntry);
  if (signatures.length === 0) throw malformed('webhook-signature');
  return { id, timestamp, signatures, event: undefined };
}

/**
 * Ignores a truncated entry, so that it does not invalidate others. A comma means that two headers
 * were joined.
 */
function readEntry(entry: string): readonly Uint8Array<ArrayBuffer>[] {
  const text = entry.slice('v1,'.length);
  if (text.includes(',')) throw malformed('webhook-signature');
  const bytes = decodeBase64(text);
  return bytes?.length === SIGNATURE_BYTES ? [bytes] : [];
}

function readXWebhookHeaders(read: ReadHeader): SignatureClaims {
  const id = readId(read, 'X-Webhook-ID');
  const timestamp = readTimestamp(read, 'X-Webhook-Timestamp');
  const current = requireHeader(read, 'X-Webhook-Signature');
  const signatures = [requireSignature(decodeHex(current), 'X-Webhook-Signature')];
  const previous = read('X-Webhook-Signature-Previous');
  // Some frameworks return an empty string for an absent header.
  if (previous) {
    signatures.push(requireSignature(decodeHex(previous), 'X-Webhook-Signature-Previous'));
  }
  return { id, timestamp, signatures, event: requireHeader(read, 'X-Webhook-Event') };
}

function readId(read: ReadHeader, name: string): string {
  const id = requireHeader(read, name);
  if (!isSignedId(id)) throw malformed(name);
  return id;
}

function readTimestamp(read: ReadHeader, name: string): string {
  const timestamp = requireHeader(read, name);
  if (!isSignedTimestamp(timestamp)) throw malformed(name);
  return timestamp;
}

function requireSignature(
  bytes: Uint8Array<ArrayBuffer> | undefined,
  header: string,
): Uint8Array<ArrayBuffer> {
  if (bytes?.length !== SIGNATURE_BYTES) throw malformed(header);
  return bytes;
}

function malformed(header: string): WebhookError {
  return new WebhookError('signature_malformed', `The header ${header} is malformed.`);
}

import { decodeHex, SIGNATURE_BYTES } from '../../signing/hmac.ts';
import { decodeBase64 } from '../../signing/secret.ts';
import type { SignatureSchemeName } from '../../signing/signature-scheme.ts';
import { isSignedId, isSignedTimestamp } from '../../signing/signed-parts.ts';
import type { SignedRequest } from '../scheme-check.ts';

/** What is wrong with a header, before anything is verified. */
export interface HeaderFault {
  readonly code: 'missing_header' | 'repeated_header' | 'malformed_header';
  readonly message: string;
}

/** The headers that a set must have. */
const REQUIRED: Readonly<Record<SignatureSchemeName, readonly string[]>> = {
  standard: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  'x-webhook': ['X-Webhook-ID', 'X-Webhook-Timestamp', 'X-Webhook-Signature', 'X-Webhook-Event'],
};

/** Finds the first header that `verify` would refuse. */
export function headerFault(
  { headers }: SignedRequest,
  scheme: SignatureSchemeName,
): HeaderFault | undefined {
  const present = REQUIRED[scheme].map((name) => ({ name, values: headers[name.toLowerCase()] ?? [] }));
  const missing = present.filter(({ values }) => !values[0]).map(({ name }) => name);
  if (missing.length > 0) {
    const names = missing.join(', ');
    return { code: 'missing_header', message: `Missing: ${names}. A proxy or a framework dropped it.` };
  }
  const repeated = present.find(({ values }) => values.length > 1)?.name;
  if (repeated !== undefined) {
    const message = `The header ${repeated} is there more than once, so readers disagree on its value.`;
    return { code: 'repeated_header', message };
  }
  for (const { name, values } of present) {
    const reason = reasonOf(name.toLowerCase(), values[0] ?? '');
    if (reason !== undefined) {
      return { code: 'malformed_header', message: `The header ${name} is malformed: ${reason}.` };
    }
  }
  return undefined;
}

/** Every value in a header that could be a signature, in whatever form it stands there. */
export function signaturesIn(value: string): readonly Uint8Array<ArrayBuffer>[] {
  // A recipient searches the headers of forged requests, too: no part may match in two ways.
  const words = value.slice(0, MAX_SEARCHED).split(/sha256=|v1[,=]|[\s,:;]+/);
  return words.flatMap((word) => {
    const bytes = decodeHex(word.toLowerCase()) ?? decodeBase64(word);
    return bytes?.length === SIGNATURE_BYTES ? [bytes] : [];
  });
}

/** The part of a signature header that is searched, in characters. */
const MAX_SEARCHED = 8_192;

function reasonOf(name: string, value: string): string | undefined {
  if (name.endsWith('-id')) return isSignedId(value) ? undefined : 'an id has letters, digits, _ and - only';
  if (name.endsWith('-timestamp')) return timestampReason(value);
  if (name === 'x-webhook-signature') return xWebhookReason(value);
  return name === 'webhook-signature' ? standardReason(value) : undefined;
}

function timestampReason(value: string): string | undefined {
  if (/^\d{13}$/.test(value)) return 'it is in milliseconds, and must be in seconds';
  if (/^\d{4}-\d\d-\d\d/.test(value)) return 'it is a date, and must be Unix seconds';
  return isSignedTimestamp(value) ? undefined : 'it must be Unix seconds';
}

function xWebhookReason(value: string): string | undefined {
  if (decodeHex(value) !== undefined) return undefined;
  if (value.startsWith('v1,')) return 'it has the value of webhook-signature';
  if (/^sha256=/i.test(value)) return 'sha256= does not belong there';
  if (/^[0-9a-f]{64}$/i.test(value)) return 'its letters must be lower case';
  if (/^[0-9a-f]+$/i.test(value)) return `it has ${value.length} characters, and must have 64`;
  if (signaturesIn(value).length > 0) return 'it must be 64 hexadecimal characters, and is base64';
  return 'it must be 64 lower-case hexadecimal characters';
}

function standardReason(value: string): string | undefined {
  const entries = value.split(' ').filter((entry) => entry.startsWith('v1,'));
  if (entries.some((entry) => entry.slice(3).includes(','))) return 'two headers were joined by a comma';
  if (entries.some((entry) => decodeBase64(entry.slice(3))?.length === SIGNATURE_BYTES)) return undefined;
  if (/^[0-9a-f]{64}$/i.test(value)) return 'it has the form of X-Webhook-Signature, hexadecimal';
  if (/(^| )v1a,/.test(value)) return 'v1a is an asymmetric signature, which needs a public key';
  if (signaturesIn(value).length > 0) return 'v1, before the signature is missing';
  return 'it must be v1, and the base64 of 32 bytes';
}

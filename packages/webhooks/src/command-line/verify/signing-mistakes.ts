import { timingSafeEqual } from 'node:crypto';
import { hmacKey, signedContent } from '../../signing/hmac.ts';
import { SECRET_PREFIX, secretBytes } from '../../signing/secret.ts';
import { SIGNATURE_SCHEMES, type SignatureSchemeName } from '../../signing/signature-scheme.ts';
import type { SignedRequest } from '../scheme-check.ts';
import { bodyChanges } from './body-changes.ts';
import { signaturesIn } from './header-faults.ts';

/** A mistake under which the signature fits. */
export interface FoundMistake {
  readonly code: 'altered_body' | 'wrong_key' | 'wrong_content';
  /** Completes "the signature fits". */
  readonly told: string;
}

/** A key or a content, and what it means if the signature fits it. Without words, it is right. */
interface Candidate {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly told?: string;
}

/** The most signatures that are computed: each is at most half a megabyte of SHA-256. */
const MAX_COMPUTED = 600;

/** Tells whether a signature of the request fits as it is, whatever `verify` refuses otherwise. */
export async function isSigned(
  request: SignedRequest,
  scheme: SignatureSchemeName,
  secret: string,
): Promise<boolean> {
  const key = Uint8Array.from(SIGNATURE_SCHEMES[scheme].keyBytes(secret));
  return fits(signaturesOf(request, scheme), key, contentOf(request, scheme, request.body));
}

/** Looks for the usual mistake under which a signature of the request fits after all. */
export async function findMistake(
  request: SignedRequest,
  scheme: SignatureSchemeName,
  secrets: readonly string[],
): Promise<FoundMistake | undefined> {
  const signatures = signaturesOf(request, scheme);
  let computed = 0;
  const isFit = async (key: Candidate, content: Candidate): Promise<boolean> => {
    computed += 1;
    return computed <= MAX_COMPUTED && (await fits(signatures, key.bytes, content.bytes));
  };
  const bodies = bodyChanges(request.body).map(
    ({ body, told }): Candidate => ({ bytes: contentOf(request, scheme, body), told: `it ${told}` }),
  );
  const [right, ...contents] = contentsOf(request, scheme);
  for (const secret of secrets) {
    const [key, ...wrongKeys] = keysOf(scheme, secret);
    if (key === undefined || right === undefined) continue;
    for (const body of bodies) {
      if (await isFit(key, body)) return { code: 'altered_body', told: body.told ?? '' };
    }
    for (const wrong of wrongKeys) {
      if (await isFit(wrong, right)) return { code: 'wrong_key', told: wrong.told ?? '' };
    }
    for (const content of contents) {
      if (await isFit(key, content)) return { code: 'wrong_content', told: content.told ?? '' };
    }
    for (const wrong of wrongKeys) {
      for (const body of bodies) {
        if (await isFit(wrong, body)) return { code: 'wrong_key', told: `${wrong.told}, and ${body.told}` };
      }
    }
  }
  return undefined;
}

/** The right key, and those that other readings of the secret give. */
function keysOf(scheme: SignatureSchemeName, secret: string): readonly Candidate[] {
  const encoder = new TextEncoder();
  const whole = encoder.encode(secret);
  const decoded = secretBytes(secret);
  const wholeTold = 'the text of the secret as its key, where it must be decoded from base64';
  const decodedTold = 'the decoded bytes of the secret as its key, where it must be the whole text';
  const [right, other] =
    scheme === 'standard'
      ? [decoded, { bytes: whole, told: wholeTold }]
      : [whole, { bytes: decoded, told: decodedTold }];
  const bare = encoder.encode(secret.slice(SECRET_PREFIX.length));
  return [
    { bytes: right },
    other,
    { bytes: bare, told: `the text after ${SECRET_PREFIX} as its key` },
    { bytes: encoder.encode(`${secret}\n`), told: 'the secret with a line break after it as its key' },
  ];
}

/** The right content, and what other schemes sign. */
function contentsOf(request: SignedRequest, scheme: SignatureSchemeName): readonly Candidate[] {
  const { body } = request;
  const own = partsOf(request, scheme);
  const other = partsOf(request, scheme === 'standard' ? 'x-webhook' : 'standard');
  const afterTimestamp = Uint8Array.from(Buffer.concat([Buffer.from(`${own.timestamp}.`), body]));
  return [
    { bytes: signedContent(own.id, own.timestamp, body) },
    { bytes: Uint8Array.from(body), told: 'the body alone, as GitHub and Shopify sign' },
    { bytes: afterTimestamp, told: '<timestamp>.<body> without the id, as Stripe signs' },
    {
      bytes: signedContent(own.id, other.timestamp, body),
      told: 'the timestamp of the other headers: webhook-timestamp is that of the attempt, X-Webhook-Timestamp that of the delivery',
    },
    {
      bytes: signedContent(own.id, `${own.timestamp}000`, body),
      told: 'a timestamp in milliseconds',
    },
  ];
}

function contentOf(
  request: SignedRequest,
  scheme: SignatureSchemeName,
  body: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const { id, timestamp } = partsOf(request, scheme);
  return signedContent(id, timestamp, body);
}

function partsOf({ headers }: SignedRequest, scheme: SignatureSchemeName): { id: string; timestamp: string } {
  const prefix = scheme === 'standard' ? 'webhook' : 'x-webhook';
  return { id: headers[`${prefix}-id`]?.[0] ?? '', timestamp: headers[`${prefix}-timestamp`]?.[0] ?? '' };
}

function signaturesOf(
  { headers }: SignedRequest,
  scheme: SignatureSchemeName,
): readonly Uint8Array<ArrayBuffer>[] {
  const names =
    scheme === 'standard' ? ['webhook-signature'] : ['x-webhook-signature', 'x-webhook-signature-previous'];
  return names.flatMap((name) => signaturesIn(headers[name]?.[0] ?? ''));
}

async function fits(
  signatures: readonly Uint8Array[],
  keyBytes: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await hmacKey(keyBytes, 'sign');
  const expected = Buffer.from(await globalThis.crypto.subtle.sign('HMAC', key, content));
  // Every comparison takes the same time, and all are made.
  return signatures.map((signature) => timingSafeEqual(signature, expected)).includes(true);
}

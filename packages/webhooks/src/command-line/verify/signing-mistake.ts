import { hmacKey, signedContent } from '../../signing/hmac.ts';
import { SECRET_PREFIX, secretBytes } from '../../signing/secret.ts';
import {
  SIGNATURE_SCHEMES,
  type SignatureClaims,
  type SignatureSchemeName,
} from '../../signing/signature-scheme.ts';

/** A mistake under which the signature fits after all. */
export interface SigningMistake {
  readonly code: 'altered_body' | 'wrong_key';
  readonly message: string;
}

/** Tells whether one of the signatures is that of a body with a key. */
export async function fits(
  { id, timestamp, signatures }: SignatureClaims,
  keyBytes: Uint8Array<ArrayBuffer>,
  body: Uint8Array,
): Promise<boolean> {
  const key = await hmacKey(keyBytes, 'verify');
  const content = signedContent(id, timestamp, body);
  const { subtle } = globalThis.crypto;
  const checks = signatures.map((signature) => subtle.verify('HMAC', key, signature, content));
  return (await Promise.all(checks)).includes(true);
}

/** Looks for a usual mistake. It undoes one at a time: two at once are guesses without end. */
export async function findMistake(
  claims: SignatureClaims,
  scheme: SignatureSchemeName,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<SigningMistake | undefined> {
  const bodies = bodiesBefore(body);
  for (const secret of secrets) {
    const key = SIGNATURE_SCHEMES[scheme].keyBytes(secret);
    for (const { sent, told } of bodies) {
      if (sent === undefined || !(await fits(claims, key, sent))) continue;
      const message = `The body was altered: the signature fits it ${told}. Verify the bytes as they came in, before any parser.`;
      return { code: 'altered_body', message };
    }
    for (const { bytes, told } of otherKeys(secret)) {
      if (!(await fits(claims, bytes, body))) continue;
      const must = scheme === 'standard' ? 'be decoded from base64' : 'be used as its whole text';
      const message = `The sender used another key: the signature fits ${told}. The secret must ${must}.`;
      return { code: 'wrong_key', message };
    }
  }
  return undefined;
}

/** The body of an event as this package sends it: compact JSON, with its keys in this order. */
export function sentForm(body: Uint8Array): Buffer | undefined {
  try {
    const { type, timestamp, data } = JSON.parse(Buffer.from(body).toString('utf8'));
    return Buffer.from(JSON.stringify({ type, timestamp, data }), 'utf8');
  } catch {
    return undefined;
  }
}

function bodiesBefore(
  body: Uint8Array,
): readonly { readonly told: string; readonly sent: Buffer | undefined }[] {
  const lineBreak = /\r?\n$/.exec(Buffer.from(body.subarray(-2)).toString('latin1'))?.[0].length ?? 0;
  const withoutBreak = Buffer.from(body.subarray(0, body.length - lineBreak));
  return [
    { told: 'without the line break at its end', sent: lineBreak === 0 ? undefined : withoutBreak },
    { told: 'as compact JSON: it was parsed and serialised again', sent: sentForm(body) },
  ];
}

/** Other readings of a secret. The right one is among them, and does not fit. */
function otherKeys(
  secret: string,
): readonly { readonly told: string; readonly bytes: Uint8Array<ArrayBuffer> }[] {
  const encoder = new TextEncoder();
  return [
    { told: 'the whole text of the secret', bytes: encoder.encode(secret) },
    { told: `the text after ${SECRET_PREFIX}`, bytes: encoder.encode(secret.slice(SECRET_PREFIX.length)) },
    { told: 'the decoded bytes of the secret', bytes: secretBytes(secret) },
  ];
}

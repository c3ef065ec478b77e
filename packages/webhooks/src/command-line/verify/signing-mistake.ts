import { hmacKey } from '../../signing/hmac.ts';
import { SECRET_PREFIX, secretBytes } from '../../signing/secret.ts';
import {
  SIGNATURE_SCHEMES,
  type SignatureClaims,
  type SignatureSchemeName,
} from '../../signing/signature-scheme.ts';
import { hasValidSignature } from '../../signing/verify.ts';
import { sentForms } from '../sent-forms.ts';

/** Looks for a usual mistake. It undoes one at a time: two at once are guesses without end. */
export async function findMistake(
  claims: SignatureClaims,
  scheme: SignatureSchemeName,
  body: Uint8Array,
  secrets: readonly { readonly secret: string }[],
): Promise<{ readonly code: 'altered_body' | 'wrong_key'; readonly message: string } | undefined> {
  for (const { secret } of secrets) {
    const key = await hmacKey(SIGNATURE_SCHEMES[scheme].keyBytes(secret), 'verify');
    for (const [told, sent] of bodiesBefore(body)) {
      if (sent === undefined || !(await hasValidSignature(claims, [key], sent))) continue;
      const message = `The body was altered: the signature fits it ${told}. Verify the bytes as they came in, before any parser.`;
      return { code: 'altered_body', message };
    }
    for (const [told, bytes] of otherKeys(secret)) {
      if (!(await hasValidSignature(claims, [await hmacKey(bytes, 'verify')], body))) continue;
      const must = scheme === 'standard' ? 'be decoded from base64' : 'be used as its whole text';
      const message = `The sender used another key: the signature fits ${told}. The secret must ${must}.`;
      return { code: 'wrong_key', message };
    }
  }
  return undefined;
}

function bodiesBefore(body: Uint8Array): readonly (readonly [told: string, sent: Buffer | undefined])[] {
  const lineBreak = /\r?\n$/.exec(Buffer.from(body.subarray(-2)).toString('latin1'))?.[0].length ?? 0;
  const withoutBreak = Buffer.from(body.subarray(0, body.length - lineBreak));
  return [
    ['without the line break at its end', lineBreak === 0 ? undefined : withoutBreak],
    ...sentForms(body).map((form) => ['as compact JSON: it was parsed and serialised again', form] as const),
  ];
}

/** Other readings of a secret. The right one is among them, and does not fit. */
function otherKeys(secret: string): readonly (readonly [told: string, bytes: Uint8Array<ArrayBuffer>])[] {
  const encoder = new TextEncoder();
  return [
    ['the whole text of the secret', encoder.encode(secret)],
    [`the text after ${SECRET_PREFIX}`, encoder.encode(secret.slice(SECRET_PREFIX.length))],
    ['the decoded bytes of the secret', secretBytes(secret)],
  ];
}

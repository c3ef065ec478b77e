import { headerReader } from '../../signing/callback-headers.ts';
import { hmacKey } from '../../signing/hmac.ts';
import { SECRET_PREFIX, secretBytes } from '../../signing/secret.ts';
import { SIGNATURE_SCHEMES, type SignatureSchemeName } from '../../signing/signature-scheme.ts';
import { hasValidSignature } from '../../signing/verify.ts';
import { checkScheme, SCHEMES, type SchemeCheck, type SignedRequest } from '../scheme-check.ts';

const ALTERED_BODY =
  'The body was parsed and serialised again: the signature fits its compact form. Verify the bytes as they came in, before any parser.';
const UNEXPLAINED =
  'The secret is that of another webhook or from before a rotation, or the body, the id or the timestamp was altered.';

/** Checks both header sets of a request; says `altered_body` or `wrong_key` where that is the mistake. */
export async function diagnose(
  request: SignedRequest,
  secrets: readonly string[],
): Promise<readonly SchemeCheck[]> {
  return await Promise.all(
    SCHEMES.map(async (scheme) => {
      const check = await checkScheme(request, scheme, secrets);
      const isExplained = check.code !== 'signature_mismatch' || check.message.includes('X-Webhook-Event');
      return isExplained ? check : { scheme, ...(await mistakeOf(request, scheme, secrets)) };
    }),
  );
}

/** Says in sentences why a request is refused. Empty if nothing is wrong. */
export async function explain(request: SignedRequest, secrets: readonly string[]): Promise<string> {
  const diagnoses = await diagnose(request, secrets);
  return [...new Set(diagnoses.map(({ message }) => message))].join(' ').trim();
}

/** Looks for the two mistakes that nearly everybody makes; undoes one at a time. */
async function mistakeOf(
  { headers, body }: SignedRequest,
  scheme: SignatureSchemeName,
  secrets: readonly string[],
): Promise<Omit<SchemeCheck, 'scheme'>> {
  const { keyBytes, readClaims } = SIGNATURE_SCHEMES[scheme];
  const claims = readClaims(headerReader(headers));
  const fits = async (bytes: Uint8Array<ArrayBuffer>, sent: Uint8Array) =>
    await hasValidSignature(claims, [await hmacKey(bytes, 'verify')], sent);
  for (const secret of secrets) {
    for (const sent of compactForms(body)) {
      if (await fits(keyBytes(secret), sent)) return { code: 'altered_body', message: ALTERED_BODY };
    }
    for (const [told, bytes] of readingsOf(secret)) {
      if (!(await fits(bytes, body))) continue;
      const must = scheme === 'standard' ? 'be decoded from base64' : 'be used as its whole text';
      const message = `The signature was made with ${told}. The secret must ${must}.`;
      return { code: 'wrong_key', message };
    }
  }
  return { code: 'signature_mismatch', message: UNEXPLAINED };
}

/** A body as this package may have sent it: without space between its parts, or parsed and ordered. */
function compactForms(body: Uint8Array): readonly Buffer[] {
  const text = Buffer.from(body).toString('utf8');
  try {
    const { type, timestamp, data } = JSON.parse(text);
    // Only of JSON: at a text without an end, each of its quotes would be tried as the beginning of one.
    const compact = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (token) => (token.startsWith('"') ? token : ''));
    return [compact, JSON.stringify({ type, timestamp, data })].map((form) => Buffer.from(form));
  } catch {
    return [];
  }
}

/** What recipients take for the key. The right one is among them, and does not fit. */
function readingsOf(secret: string): readonly (readonly [told: string, bytes: Uint8Array<ArrayBuffer>])[] {
  const encoder = new TextEncoder();
  return [
    ['the whole text of the secret', encoder.encode(secret)],
    [`the text after ${SECRET_PREFIX}`, encoder.encode(secret.slice(SECRET_PREFIX.length))],
    ['the decoded bytes of the secret', secretBytes(secret)],
  ];
}

import { isWebhookError } from '../errors.ts';
import type { SignatureSchemeName } from '../signing/signature-scheme.ts';
import { verify } from '../signing/verify.ts';

/** Both header sets, the recommended one first. */
export const SCHEMES: readonly SignatureSchemeName[] = ['standard', 'x-webhook'];

/** What a header set is called in front of people. */
export const SCHEME_TITLES: Readonly<Record<SignatureSchemeName, string>> = {
  standard: 'webhook-signature',
  'x-webhook': 'X-Webhook-Signature',
};

/** The headers of a request: a name in lower case and every value that it has. */
export type RequestHeaders = Readonly<Record<string, readonly string[]>>;

/** A request as it came in. */
export interface SignedRequest {
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
}

/** What `verify` says of one header set: `valid`, the code of its refusal, or `absent`. */
export interface SchemeCheck {
  readonly scheme: SignatureSchemeName;
  readonly result: string;
  /** The sentence of the refusal. Empty if there is none. */
  readonly reason: string;
}

/** The headers of each set; their first letters tell the sets apart. */
const PREFIXES: Readonly<Record<SignatureSchemeName, string>> = {
  standard: 'webhook-',
  'x-webhook': 'x-webhook-',
};

/** Tells whether a request has any header of a set. */
function hasScheme({ headers }: SignedRequest, scheme: SignatureSchemeName): boolean {
  return Object.keys(headers).some((name) => name.startsWith(PREFIXES[scheme]));
}

/** Verifies one header set, as a recipient does. At least one well-formed secret is needed. */
export async function checkScheme(
  request: SignedRequest,
  scheme: SignatureSchemeName,
  secrets: readonly string[],
  now?: () => number,
): Promise<SchemeCheck> {
  if (!hasScheme(request, scheme)) return { scheme, result: 'absent', reason: '' };
  try {
    await verify({ ...request, scheme, secrets, ...(now && { now }) });
    return { scheme, result: 'valid', reason: '' };
  } catch (error) {
    if (!isWebhookError(error)) throw error;
    return { scheme, result: error.code, reason: error.message };
  }
}

/** Tells whether the sets that are there are valid, and at least one is. */
export function isGenuine(checks: readonly SchemeCheck[]): boolean {
  const present = checks.filter(({ result }) => result !== 'absent');
  return present.length > 0 && present.every(({ result }) => result === 'valid');
}

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

/** What is said of one header set. */
export interface SchemeCheck {
  readonly scheme: SignatureSchemeName;
  /** `valid`, `absent`, or why it is refused: the code of `verify`, or of a diagnosis. */
  readonly code: string;
  /** A sentence on the refusal. It never contains a secret; empty if there is nothing to say. */
  readonly message: string;
}

/** The headers of each set; their first letters tell the sets apart. */
const PREFIXES: Readonly<Record<SignatureSchemeName, string>> = {
  standard: 'webhook-',
  'x-webhook': 'x-webhook-',
};

/** Verifies one header set, as a recipient does. At least one well-formed secret is needed. */
export async function checkScheme(
  request: SignedRequest,
  scheme: SignatureSchemeName,
  secrets: readonly string[],
): Promise<SchemeCheck> {
  const isThere = Object.keys(request.headers).some((name) => name.startsWith(PREFIXES[scheme]));
  if (!isThere) return { scheme, code: 'absent', message: '' };
  try {
    await verify({ ...request, scheme, secrets });
    return { scheme, code: 'valid', message: '' };
  } catch (error) {
    if (!isWebhookError(error)) throw error;
    return { scheme, code: error.code, message: error.message };
  }
}

/** Tells whether the sets that are there are valid, and at least one is. */
export function isGenuine(checks: readonly SchemeCheck[]): boolean {
  const present = checks.filter(({ code }) => code !== 'absent');
  return present.length > 0 && present.every(({ code }) => code === 'valid');
}

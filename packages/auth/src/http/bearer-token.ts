import { sentValues } from '../../../toolkit/src/node-web/sent-values.ts';
import { type AuthRequest, headerValues, requireRequest } from './auth-request.ts';

/** Longer than any credential this package knows. */
export const MAX_BEARER_LENGTH = 4096;

/**
 * RFC 6750 section 2.1: `"Bearer" 1*SP b64token`; the scheme in any case (RFC 9110 section 11.1).
 * The keys of other systems have more characters than a b64token: all that are visible count.
 * Joined fields are no token, because a space follows the second scheme.
 */
const BEARER_FORM = /^Bearer +([!-~]+)$/i;

/**
 * Reads the bearer token of a request.
 *
 * Another scheme, several tokens, several headers or any other malformation count as not present:
 * the answer to all of them is the same 401, and never an exception.
 *
 * @throws TypeError if `request` is not a request
 */
export function readBearerToken(request: AuthRequest): string | undefined {
  requireRequest(request);
  const values = authorizationValues(request);
  const [value] = values;
  if (values.length !== 1 || value === undefined) return undefined;
  if (value.length > 'Bearer '.length + MAX_BEARER_LENGTH) return undefined;
  return BEARER_FORM.exec(value)?.[1];
}

/** Node keeps only the first of several Authorization headers in `headers`. */
function authorizationValues(request: AuthRequest): readonly string[] {
  const values = headerValues(request.headers, 'authorization');
  const sent = 'rawHeaders' in request ? request.rawHeaders : undefined;
  return Array.isArray(sent) && sentValues(sent, 'authorization').length > 1 ? [] : values;
}

import { MAX_COOKIES_PER_NAME } from '../../cookies/cookie-header.ts';
import type { AuthHeaders } from '../../http/auth-request.ts';
import { readCookies } from '../../http/authenticate.ts';
import type { ResolvedSessionsOptions, SessionClient } from '../sessions-options.ts';
import type { Call } from './endpoint.ts';

/**
 * Returns the refresh cookies as sent. If there are more than may be read, it returns one more than
 * that.
 */
export function presentedTokens({ auth }: ResolvedSessionsOptions, { headers }: Request): string[] {
  return readCookies(headers, auth.options.refreshTokenCookie.name, MAX_COOKIES_PER_NAME + 1);
}

/** Returns the cookies of known devices as sent, in the same way; none if the option is off. */
export function presentedDevices(
  { knownDevices }: ResolvedSessionsOptions,
  { headers }: { readonly headers: AuthHeaders },
): string[] {
  if (knownDevices === undefined) return [];
  return readCookies(headers, knownDevices.cookie.name, MAX_COOKIES_PER_NAME + 1);
}

export function clientOf(
  { clientAddress }: ResolvedSessionsOptions,
  { request, connection }: Call,
): SessionClient {
  const userAgent = request.headers.get('user-agent') ?? undefined;
  return { ip: clientAddress(request, connection), userAgent };
}

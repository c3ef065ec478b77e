import { readCredentials, textsIn } from '../log-in/credentials.ts';
import type { ServedClient } from '../log-in/log-in.ts';
import { readLoginBody } from '../log-in/remember-me.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Endpoint, Operations } from './endpoint.ts';
import { granted } from './session-answer.ts';
import { clientOf, presentedDevices, presentedTokens } from './session-request.ts';

/** `POST login` */
export function logInEndpoint(
  options: ResolvedSessionsOptions,
  { login }: Pick<Operations, 'login'>,
): Endpoint {
  return async (call) => {
    const { request } = call;
    options.authParts.refuseCrossSite(request);
    const sent = await readCredentials(request);
    call.secrets.push(...textsIn(sent));
    const { credentials, rememberMe } = readLoginBody(options.rememberMeTtlSeconds, sent);
    const refreshTokens = presentedTokens(options, request);
    const deviceCookies = presentedDevices(options, request);
    const hasBegun = () => call.connection.hasBegun?.() === true;
    const known = { refreshTokens, deviceCookies, rememberMe, hasBegun };
    const client: ServedClient = { ...clientOf(options, call), ...known };
    return granted(await login(credentials, client));
  };
}

import { readCredentials, textsIn } from '../credentials.ts';
import type { ResolvedSessionsOptions } from '../sessions-options.ts';
import type { Endpoint, Operations } from './endpoint.ts';
import { granted } from './session-answer.ts';
import { clientOf, presentedDevices, presentedTokens, refuseCrossSite } from './session-request.ts';

/** `POST login` */
export function logInEndpoint(
  options: ResolvedSessionsOptions,
  { login }: Pick<Operations, 'login'>,
): Endpoint {
  return async (call) => {
    const { request } = call;
    refuseCrossSite(options, request);
    const credentials = await readCredentials(request);
    call.secrets.push(...textsIn(credentials));
    const refreshTokens = presentedTokens(options, request);
    const deviceCookies = presentedDevices(options, request);
    return granted(await login(credentials, { ...clientOf(options, call), refreshTokens, deviceCookies }));
  };
}

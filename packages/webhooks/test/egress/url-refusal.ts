import { expect } from 'vitest';
import type { Resolve } from '../../src/egress/resolve.ts';
import { assertPublicUrl } from '../../src/egress/url-policy.ts';
import { isWebhookError } from '../../src/errors.ts';
import { resolvesTo } from './loopback.ts';

export const toPublic: Resolve = resolvesTo('93.184.215.14');
export const never: Resolve = async () => {
  throw new Error('must not be asked');
};

/** The codes of reasons that are not about an address. */
const CODES: Readonly<Record<string, string>> = {
  'The URL must begin with https://.': 'https_required',
  'The URL must not carry a user name or password.': 'user_info',
  'The host must be a fully qualified name.': 'local_name',
  'The host name is reserved for local use.': 'local_name',
};

/** The reason why `url` is refused; fails when it is not. */
export async function refusal(
  url: string,
  options: Parameters<typeof assertPublicUrl>[1] = {},
): Promise<string> {
  const error = await assertPublicUrl(url, { resolve: toPublic, ...options }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const isInvalid = isWebhookError(error, 'validation_failed');
  if (!isInvalid && !isWebhookError(error, 'url_not_public')) {
    throw new Error(`${JSON.stringify(url)} was not refused`);
  }
  const [{ code = '', message = '' } = {}] = error.errors ?? [];
  expect(error.errors).toEqual([{ field: 'url', code, message }]);
  expect(code).toBe(isInvalid ? 'invalid_url' : codeOf(message));
  // A local URL's error goes on for the developer.
  expect(error.message.startsWith(message)).toBe(true);
  return message;
}

function codeOf(reason: string): string {
  if (reason.startsWith('Port ')) return 'port_not_allowed';
  return CODES[reason] ?? 'url_not_public';
}

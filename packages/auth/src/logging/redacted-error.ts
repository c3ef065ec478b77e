import { redactedError as redactedByRules } from '../../../toolkit/src/redacted-error.ts';
import { isAuthError } from '../errors.ts';

/**
 * What the logger gets of whatever was thrown. The messages of our own errors keep what they quote.
 *
 * @param secrets texts that no message may repeat, quoted or not; those of less than 4 characters
 *   are left, since words hold them
 */
export function redactedError(error: unknown, secrets: readonly string[] = []): Error {
  return redactedByRules(error, { isOwn: isAuthError, secrets });
}

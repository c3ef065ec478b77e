import { isAuthError } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';

/**
 * Reports the failure of a part of the host behind a 503. An error of ours around it says which
 * part has failed.
 */
export function logFailure(logger: Logger | undefined, error: unknown): void {
  const around = isAuthError(error, 'unavailable') ? error : undefined;
  logger?.error({ err: around?.cause ?? error }, around?.message ?? 'A request could not be authenticated');
}

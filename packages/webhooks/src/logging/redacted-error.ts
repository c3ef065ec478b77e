import * as redaction from '../../../toolkit/src/redacted-error.ts';
import type { WebhookErrorCode } from '../error-codes.ts';
import { isWebhookError } from '../errors.ts';

/**
 * Errors whose cause was thrown by the host's own code over a payload, which its message may quote
 * in any way.
 */
const QUOTING_CODES: ReadonlySet<WebhookErrorCode> = new Set(['invalid_payload', 'schema_failed']);

const RULES: redaction.Redaction = {
  isOwn: (error) => isWebhookError(error),
  hasQuotingCause: (error) => isWebhookError(error) && QUOTING_CODES.has(error.code),
};

/**
 * Whatever was thrown as what a log may keep of it. The messages of our own errors keep what they
 * quote.
 */
export function describeError(error: unknown): redaction.DescribedError {
  return redaction.describeError(error, RULES);
}

/** An error for the host, with what {@link describeError} keeps of another. */
export function redactedError(error: unknown): Error {
  return redaction.redactedError(error, RULES);
}

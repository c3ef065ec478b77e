import { readRetryAfter } from '../../../toolkit/src/retry-after.ts';
import type { SendDetail, SendFailureCode, SendResult } from '../egress/send-result.ts';

/**
 * Why an attempt failed, or a delivery ended without one: stable codes, safe to show to the
 * recipient's owner.
 */
export type AttemptErrorCode =
  | SendFailureCode
  | `http_${number}`
  | 'deferred'
  | 'busy'
  | 'internal_error'
  | 'webhook_inactive'
  | 'worker_lost'
  | 'expired';

/** Failures that say nothing about the network: no connection was tried. */
export const UNSENT: readonly string[] = ['url_not_public', 'blocked_address', 'internal_error', 'closed'];

/** The outcome of one attempt. */
export interface AttemptOutcome {
  readonly isSuccess: boolean;
  /** 0 without an answer. */
  readonly statusCode: number;
  readonly responseBody: string;
  /** The kept headers of the response; absent if there are none. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** An {@link AttemptErrorCode}, '' on success. */
  readonly error: string;
  /** What exactly was wrong; absent if nothing is known. */
  readonly detail?: SendDetail;
  /** How long a busy recipient asked the engine to wait; absent if it did not. */
  readonly retryAfterMs?: number;
}

/** The longest pause that a recipient can ask for. */
export const MAX_RETRY_AFTER_MS = 3_600_000;
/** Statuses whose Retry-After header is honoured: the recipient is busy, not broken. */
const BUSY_STATUSES = new Set([429, 503]);

/** Classifies an answer: the status code alone decides, and only 2xx is a success. */
export function outcomeOf(result: SendResult, now: number): AttemptOutcome {
  const withDetail = result.detail && { detail: result.detail };
  if (result.kind === 'failure') return { ...failedOutcome(result.code), ...withDetail };
  const { statusCode, headers, body } = result;
  const isSuccess = statusCode >= 200 && statusCode <= 299;
  return {
    isSuccess,
    statusCode,
    responseBody: body,
    ...(headers && { responseHeaders: headers }),
    error: isSuccess ? '' : `http_${statusCode}`,
    ...withDetail,
    ...retryAfterOf(result, now),
  };
}

function retryAfterOf(
  { statusCode, retryAfter, date }: Extract<SendResult, { kind: 'response' }>,
  now: number,
) {
  if (!BUSY_STATUSES.has(statusCode)) return {};
  const retryAfterMs = readRetryAfter(retryAfter, date, now, MAX_RETRY_AFTER_MS);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** The outcome of an attempt without an answer. */
export function failedOutcome(error: AttemptErrorCode): AttemptOutcome {
  return { isSuccess: false, statusCode: 0, responseBody: '', error };
}

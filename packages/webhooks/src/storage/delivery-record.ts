import type { Fields } from './field.ts';

/**
 * `pending` until the last attempt: then `success` or `failed`, for good (a redelivery reopens it).
 */
export type DeliveryStatus = 'pending' | 'success' | 'failed';

/** One attempt of a delivery, as kept in its log. */
export interface AttemptLogEntry {
  /** 1 for the first attempt of the delivery. */
  readonly attempt: number;
  readonly startedAt: string;
  readonly durationMs: number;
  /** The recipient's HTTP status, 0 without an answer. */
  readonly statusCode: number;
  /** Why the attempt failed, '' when it succeeded; see `AttemptErrorCode`. */
  readonly error: string;
  /** The body of the recipient's answer: at most 4,096 bytes of UTF-8 with `responseHeaders`. */
  readonly responseBody: string;
  /**
   * Those of the answer's headers that explain it or name its request, by lower-case name: at most
   * 1,024 bytes of UTF-8. Absent if none were kept.
   */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /**
   * What exactly was wrong: the reason of a `tls_error` or `invalid_response`, or what was
   * tolerated in an answer that has a status. See `SendDetail`. Absent if nothing is known.
   */
  readonly detail?: string;
  /** The `traceparent` header of the request. Absent if it had none. */
  readonly traceparent?: string;
  /** Whether the secret before the last rotation signed the request, too. Absent if not. */
  readonly hasPreviousSignature?: boolean;
  /**
   * Only if `error` is `deferred`: deferred attempts in a row are one entry, that of the last
   * one. How many they are, and when the first one began.
   */
  readonly deferrals?: { readonly count: number; readonly since: string };
}

/** A delivery as history lists show it: everything but the payload and the log of attempts. */
export interface DeliverySummary {
  /** Positive integer, ascending in the order of creation within one database. */
  readonly id: number;
  readonly webhookId: number;
  /** 32 hex characters: the `X-Webhook-ID` of every attempt. */
  readonly deliveryId: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  /**
   * The status and the answer of the last attempt: 0 and '' without an answer, or before an
   * attempt.
   */
  readonly statusCode: number;
  readonly responseBody: string;
  /** Why the last attempt failed or the delivery ended, '' otherwise. */
  readonly error: string;
  /** Those that count, the one under way included. */
  readonly attempts: number;
  /** The attempts beside those that a busy recipient put off. */
  readonly deferrals: number;
  readonly createdAt: string;
  readonly completedAt: string | null;
  /** When the next attempt is due; null once the delivery has ended. */
  readonly nextAttemptAt: string | null;
}

/** A delivery with what was sent and how each attempt went. */
export interface Delivery extends DeliverySummary {
  /** The payload's JSON text, exactly as it is sent. */
  readonly payload: string;
  /** The last 20 attempts, oldest first. */
  readonly attemptLog: readonly AttemptLogEntry[];
}

/** The fields of a {@link DeliverySummary}, in the order in which the API answers them. */
export const DELIVERY_FIELDS = {
  // It counts the deliveries of everybody.
  id: { column: 'id', holds: 'number', min: 1, audience: 'administrators', example: 120 },
  webhookId: { column: 'webhook_id', holds: 'number', audience: 'everybody', min: 1, example: 1 },
  deliveryId: {
    column: 'delivery_id',
    holds: 'id',
    audience: 'everybody',
    example: '5f0c3a4b6d7e8f90123456789abcdef0',
  },
  event: { column: 'event', holds: 'text', audience: 'everybody', example: 'user.created' },
  status: {
    column: 'status',
    holds: ['pending', 'success', 'failed'],
    audience: 'everybody',
    example: 'pending',
  },
  statusCode: { column: 'status_code', holds: 'number', audience: 'everybody', min: 0, example: 503 },
  responseBody: { column: 'response_body', holds: 'text', audience: 'everybody', example: 'try again later' },
  error: { column: 'error', holds: 'text', audience: 'everybody', example: 'http_503' },
  attempts: { column: 'attempts', holds: 'number', audience: 'everybody', min: 0, example: 1 },
  deferrals: { column: 'deferrals', holds: 'number', audience: 'everybody', min: 0, example: 0 },
  createdAt: {
    column: 'created_at',
    holds: 'time',
    audience: 'everybody',
    example: '2026-11-20T04:10:00.123Z',
  },
  completedAt: {
    column: 'completed_at',
    holds: 'time',
    audience: 'everybody',
    isNullable: true,
    example: null,
  },
  nextAttemptAt: {
    column: 'next_attempt_at',
    holds: 'time',
    audience: 'everybody',
    isNullable: true,
    example: '2026-11-20T04:10:31.456Z',
  },
} as const satisfies Fields<DeliverySummary>;

/** What they mean, for the document of the API. */
export const DELIVERY_WORDS = {
  id: 'Ascending in the order of creation.',
  statusCode: 'HTTP status of the last attempt; 0 if no response came back or no attempt was made.',
  responseBody: 'The response body of the last attempt, at most 4,096 bytes.',
  error: 'Why the last attempt failed or the delivery ended; empty otherwise.',
  attempts: 'The number of attempts that count, over all series, the one under way included.',
  deferrals: 'The number of attempts that a busy recipient put off: they do not count.',
  completedAt: 'When it ended; null while it is pending.',
  nextAttemptAt: 'When the next attempt is due; null once it has ended.',
} as const satisfies { readonly [Name in keyof DeliverySummary]?: string };

import { unixSeconds } from '../clock.ts';
import { SIGNATURE_HEADERS, unsignedHeaders } from '../signing/delivery-headers.ts';
import type { AttemptLogEntry, Delivery } from '../storage/delivery-record.ts';
import { isTestDelivery } from '../test-deliveries.ts';

/**
 * The request of the last attempt that is recorded, rebuilt from the record: no request is stored.
 * Signatures are left out. The `User-Agent` and the header sets are those of this process.
 */
export interface SentRequest {
  /** The number of the attempt. */
  readonly attempt: number;
  /** The headers by name, without the signatures. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the headers that were sent as well: the signatures. */
  readonly omittedHeaders: readonly string[];
}

/** What an engine puts into every request. */
export interface SenderSettings {
  readonly standardHeaders: boolean;
  readonly userAgent: string;
}

/**
 * Rebuilds the request of a delivery's last attempt; null if none is known to have been sent.
 */
export function sentRequest(
  delivery: Delivery,
  { standardHeaders, userAgent }: SenderSettings,
): SentRequest | null {
  const last = delivery.attemptLog.findLast(wasSent);
  if (last === undefined) return null;
  const { deliveryId, event, createdAt } = delivery;
  const headers = unsignedHeaders({
    deliveryId,
    event,
    createdAtSeconds: unixSeconds(Date.parse(createdAt)),
    attemptAtSeconds: unixSeconds(Date.parse(last.startedAt)),
    attempt: last.attempt,
    isTest: isTestDelivery(deliveryId),
    standardHeaders,
    userAgent,
    traceparent: last.traceparent,
  });
  const { own, previous, standard } = SIGNATURE_HEADERS;
  const omittedHeaders = [
    own,
    ...(last.hasPreviousSignature ? [previous] : []),
    ...(standardHeaders ? [standard] : []),
  ];
  return { attempt: last.attempt, headers, omittedHeaders };
}

/** Attempts that ended before a request could leave, or of which nothing is known. */
const UNSENT: readonly string[] = [
  'blocked_address',
  'closed',
  'connection_refused',
  'dns_error',
  'expired',
  'internal_error',
  'tls_error',
  'unreachable',
  'url_not_public',
  'webhook_inactive',
  'worker_lost',
];

/** Whether the request of an attempt may have reached the recipient, and its start is known. */
function wasSent({ error }: AttemptLogEntry): boolean {
  return !UNSENT.includes(error);
}

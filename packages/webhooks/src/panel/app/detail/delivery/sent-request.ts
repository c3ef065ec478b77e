import type { Delivery, WebhookDetail } from '../../api/records.ts';

const SIGNED = '(made with the signing secret)';
/** How long requests are also signed with a rotated secret. */
const OVERLAP_MS = 86_400_000;

/**
 * The body, byte for byte as it is sent: the API returns the payload as it was written, and parsing
 * keeps its order.
 */
export function sentBody(delivery: Delivery): string {
  return JSON.stringify(bodyOf(delivery));
}

/** The body, indented for reading. */
export function readableBody(delivery: Delivery): string {
  return JSON.stringify(bodyOf(delivery), null, 2);
}

function bodyOf({ event, created_at: createdAt, payload }: Delivery) {
  return { type: event, timestamp: createdAt, data: payload };
}

/** The headers of the last attempt. Values that do not follow from the record are in brackets. */
export function sentHeaders(
  delivery: Delivery,
  { previous_secret_expires_at: overlapEnd }: Pick<WebhookDetail, 'previous_secret_expires_at'>,
): string {
  const { delivery_id: id, event, created_at: createdAt, attempts, attempt_log: log } = delivery;
  const lastStart = log.at(-1)?.started_at;
  const isOverlap = isWithinOverlap(lastStart === undefined ? Date.now() : Date.parse(lastStart), overlapEnd);
  const headers = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'acme-webhooks/(version of the sender)'],
    ['X-Webhook-ID', id],
    ['X-Webhook-Timestamp', unixSeconds(createdAt)],
    ['X-Webhook-Event', event],
    ['X-Webhook-Attempt', attempts === 0 ? '(not sent yet)' : String(attempts)],
    ['X-Webhook-Signature', SIGNED],
    ...(isOverlap ? [['X-Webhook-Signature-Previous', '(made with the previous secret)']] : []),
    ['webhook-id', id],
    ['webhook-timestamp', lastStart === undefined ? '(time of the attempt)' : unixSeconds(lastStart)],
    ['webhook-signature', isOverlap ? '(made with both secrets)' : SIGNED],
  ];
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function isWithinOverlap(instant: number, overlapEnd: string | null): boolean {
  const end = overlapEnd === null ? Number.NaN : Date.parse(overlapEnd);
  return instant >= end - OVERLAP_MS && instant < end;
}

function unixSeconds(timestamp: string): string {
  return String(Math.floor(Date.parse(timestamp) / 1_000));
}

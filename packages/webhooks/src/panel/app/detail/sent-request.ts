import type { Delivery } from '../api/records.ts';

const SIGNED = '(made with the signing secret)';

/** The body as it is sent, indented for reading. */
export function sentBody({ event, created_at: createdAt, payload }: Delivery): string {
  return JSON.stringify({ type: event, timestamp: createdAt, data: payload }, null, 2);
}

/** The headers of the last attempt, as far as they follow from the record. */
export function sentHeaders(delivery: Delivery): string {
  const { delivery_id: id, event, created_at: createdAt, attempts, attempt_log: log } = delivery;
  const lastStart = log.at(-1)?.started_at;
  const headers = [
    ['Content-Type', 'application/json'],
    ['X-Webhook-ID', id],
    ['X-Webhook-Timestamp', unixSeconds(createdAt)],
    ['X-Webhook-Event', event],
    ['X-Webhook-Attempt', attempts === 0 ? '(not sent yet)' : String(attempts)],
    ['X-Webhook-Signature', SIGNED],
    ['webhook-id', id],
    ['webhook-timestamp', lastStart === undefined ? '(time of the attempt)' : unixSeconds(lastStart)],
    ['webhook-signature', SIGNED],
  ];
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function unixSeconds(timestamp: string): string {
  return String(Math.floor(Date.parse(timestamp) / 1_000));
}

import { createHmac } from 'node:crypto';
import { secretBytes } from './secret.ts';

/** The input for the headers of one attempt. */
export interface DeliveryHeadersInput {
  readonly secret: string;
  /** The secret before the last rotation, while both are valid. */
  readonly previousSecret?: string | undefined;
  readonly deliveryId: string;
  readonly event: string;
  /** When the delivery was created, in Unix seconds: the same on every attempt. */
  readonly createdAtSeconds: number;
  /** When this attempt started, in Unix seconds. */
  readonly attemptAtSeconds: number;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The body, byte for byte as it is sent. */
  readonly body: string | Uint8Array;
  /** Whether the Standard Webhooks header set is sent in addition to the `X-Webhook-*` one. */
  readonly standardHeaders: boolean;
  readonly userAgent: string;
}

/**
 * Creates the headers of one attempt, including its signatures.
 *
 * `X-Webhook-Signature` is keyed with the UTF-8 bytes of the whole secret text and covers the
 * creation time; `webhook-signature` (Standard Webhooks) is keyed with the decoded secret and
 * covers the time of the attempt. If there is a previous secret, both are also made with it:
 * `X-Webhook-Signature-Previous` and a second `v1,` entry.
 *
 * @throws TypeError if a secret is malformed. The message never contains it.
 */
export function createDeliveryHeaders(input: DeliveryHeadersInput): Record<string, string> {
  const { attempt, createdAtSeconds, deliveryId, event, previousSecret, secret, userAgent } = input;
  // Decoded for either header set, so that a malformed secret never signs anything.
  const keys = [secretBytes(secret)];
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'X-Webhook-ID': deliveryId,
    'X-Webhook-Timestamp': String(createdAtSeconds),
    'X-Webhook-Signature': hmac(secret, createdAtSeconds, input, 'hex'),
    'X-Webhook-Event': event,
    'X-Webhook-Attempt': String(attempt),
  };
  if (previousSecret !== undefined) {
    keys.push(secretBytes(previousSecret));
    headers['X-Webhook-Signature-Previous'] = hmac(previousSecret, createdAtSeconds, input, 'hex');
  }
  return input.standardHeaders ? Object.assign(headers, standardWebhooksHeaders(keys, input)) : headers;
}

function standardWebhooksHeaders(
  keys: readonly Uint8Array[],
  input: DeliveryHeadersInput,
): Record<string, string> {
  const { attemptAtSeconds, deliveryId } = input;
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(attemptAtSeconds),
    'webhook-signature': keys.map((key) => `v1,${hmac(key, attemptAtSeconds, input, 'base64')}`).join(' '),
  };
}

function hmac(
  key: string | Uint8Array,
  timestampSeconds: number,
  { body, deliveryId }: DeliveryHeadersInput,
  encoding: 'hex' | 'base64',
): string {
  return createHmac('sha256', key).update(`${deliveryId}.${timestampSeconds}.`).update(body).digest(encoding);
}

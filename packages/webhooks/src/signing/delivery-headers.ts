import { createHmac } from 'node:crypto';
import { secretBytes } from './secret.ts';

/** The input for the headers of one attempt that are no signatures. */
export interface UnsignedHeadersInput {
  readonly deliveryId: string;
  readonly event: string;
  /** When the delivery was created, in Unix seconds: the same on every attempt. */
  readonly createdAtSeconds: number;
  /** When this attempt started, in Unix seconds. */
  readonly attemptAtSeconds: number;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** Whether an administrator sent it as a test. Default: false. */
  readonly isTest?: boolean;
  /** Whether the Standard Webhooks header set is sent in addition to the `X-Webhook-*` one. */
  readonly standardHeaders: boolean;
  readonly userAgent: string;
  /** The trace that the host has given the attempt, if any. */
  readonly traceparent?: string | undefined;
}

/** The input for the headers of one attempt. */
export interface DeliveryHeadersInput extends UnsignedHeadersInput {
  readonly secret: string;
  /** The secret before the last rotation, while both are valid. */
  readonly previousSecret?: string | undefined;
  /** The body, byte for byte as it is sent. */
  readonly body: string | Uint8Array;
}

/** The headers with signatures; the second one only while a previous secret is valid. */
export const SIGNATURE_HEADERS = {
  own: 'X-Webhook-Signature',
  previous: 'X-Webhook-Signature-Previous',
  standard: 'webhook-signature',
} as const;

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
  const { createdAtSeconds, previousSecret, secret } = input;
  // Decoded for either header set, so that a malformed secret never signs anything.
  const keys = [secretBytes(secret)];
  const headers = unsignedHeaders(input);
  headers[SIGNATURE_HEADERS.own] = hmac(secret, createdAtSeconds, input, 'hex');
  if (previousSecret !== undefined) {
    keys.push(secretBytes(previousSecret));
    headers[SIGNATURE_HEADERS.previous] = hmac(previousSecret, createdAtSeconds, input, 'hex');
  }
  if (input.standardHeaders) headers[SIGNATURE_HEADERS.standard] = standardSignature(keys, input);
  return headers;
}

/** Creates the headers of one attempt without its signatures: they need no secret. */
export function unsignedHeaders(input: UnsignedHeadersInput): Record<string, string> {
  const { attempt, attemptAtSeconds, createdAtSeconds, deliveryId, event, userAgent } = input;
  const headers: Record<string, string> = {
    Accept: '*/*',
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'X-Webhook-ID': deliveryId,
    'X-Webhook-Timestamp': String(createdAtSeconds),
    'X-Webhook-Event': event,
    'X-Webhook-Attempt': String(attempt),
  };
  if (input.isTest) headers['X-Webhook-Test'] = '1';
  if (input.standardHeaders) {
    headers['webhook-id'] = deliveryId;
    headers['webhook-timestamp'] = String(attemptAtSeconds);
  }
  if (input.traceparent !== undefined) headers.traceparent = input.traceparent;
  return headers;
}

function standardSignature(keys: readonly Uint8Array[], input: DeliveryHeadersInput): string {
  return keys.map((key) => `v1,${hmac(key, input.attemptAtSeconds, input, 'base64')}`).join(' ');
}

function hmac(
  key: string | Uint8Array,
  timestampSeconds: number,
  { body, deliveryId }: DeliveryHeadersInput,
  encoding: 'hex' | 'base64',
): string {
  return createHmac('sha256', key).update(`${deliveryId}.${timestampSeconds}.`).update(body).digest(encoding);
}

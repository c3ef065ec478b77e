import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { VerifiedEvent } from '../signing/verified-event.ts';
import { type VerifyInput, verify } from '../signing/verify.ts';

/** A request as a test receiver got it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was sent, byte for byte. */
  readonly body: Buffer;
  /** The id of the delivery, from `X-Webhook-ID`; '' without one. */
  readonly deliveryId: string;
  /** The number of the attempt, from `X-Webhook-Attempt`; 0 without one. */
  readonly attempt: number;
  /** The event's name, from the body; '' without one. */
  readonly event: string;
  /** The event's payload, from the body; undefined without one. */
  readonly data: unknown;
  /**
   * Verifies the signature as a recipient does, and gives the event. With a clock of the test's
   * own, pass it as `now`.
   *
   * @throws WebhookError as `verify` of `@acme/webhooks/signing`
   */
  verify(
    secret: string,
    options?: Pick<VerifyInput, 'scheme' | 'toleranceSeconds' | 'now'>,
  ): Promise<VerifiedEvent>;
}

/** Twice the size of the largest payload. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Reads a request to its end. Rejects when it breaks off or is too large. */
export async function readCallback(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RangeError(`a body has at most ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const { headers, method = '', url = '' } = incoming;
  const { type, data } = parsed(body);
  return {
    method,
    path: url,
    headers,
    body,
    deliveryId: String(headers['x-webhook-id'] ?? ''),
    attempt: Number(headers['x-webhook-attempt'] ?? 0),
    event: typeof type === 'string' ? type : '',
    data,
    verify: (secret, options = {}) => verify({ secret, headers, body, ...options }),
  };
}

function parsed(body: Buffer): { readonly type?: unknown; readonly data?: unknown } {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

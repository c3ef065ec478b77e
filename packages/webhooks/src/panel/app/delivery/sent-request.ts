import type { Delivery } from '../api/records.ts';
import { deliveryTexts } from './delivery-texts.ts';

type SentRequest = NonNullable<Delivery['request']>;

/**
 * The body, byte for byte as it is sent: the API returns the payload as it was written, and parsing
 * keeps its order.
 */
export function sentBody({ event, created_at: createdAt, payload }: Delivery): string {
  return JSON.stringify({ type: event, timestamp: createdAt, data: payload });
}

/** The headers of a request as lines. The signatures, which the record does not have, are named. */
export function sentHeaders({ headers, omitted_headers: omitted }: SentRequest): string {
  const signatures = omitted.map((name) => [name, deliveryTexts.notRecorded]);
  return headerLines([...Object.entries(headers), ...signatures]);
}

/** Headers as lines. */
export function headerLines(headers: readonly (readonly string[])[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/**
 * A command that sends the request again from a POSIX shell. Everything that the delivery brings is
 * quoted; `SIGNATURE` stands for each signature.
 */
export function curlCommand(url: string, delivery: Delivery, request: SentRequest): string {
  const { headers, omitted_headers: omitted } = request;
  const all = [...Object.entries(headers), ...omitted.map((name) => [name, 'SIGNATURE'])];
  return [
    `curl --globoff ${quoted(url)}`,
    ...all.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(sentBody(delivery))}`,
  ].join(' \\\n  ');
}

/** A word of a POSIX shell that stands for exactly this text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

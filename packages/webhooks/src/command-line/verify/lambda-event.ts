import { UsageError } from '../usage-error.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a file that is one JSON object with headers in it: the event that API Gateway (of either
 * version), a load balancer or a function URL passes to a Lambda function.
 *
 * @returns nothing if it is anything else
 */
export function readEvent(bytes: Buffer): Json | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The headers of an event, with every value where it has them. Other JSON is the headers. */
export function headersWithin(value: unknown): object {
  if (!isEvent(value)) return Object(value);
  return Object(value.multiValueHeaders ?? value.headers);
}

/**
 * The body of an event, byte for byte.
 *
 * @throws UsageError if it is no text
 */
export function bodyWithin({ body, isBase64Encoded }: Json): Buffer {
  if (typeof (body ?? '') !== 'string')
    throw new UsageError('The body of the event is no text: something has parsed it.');
  return Buffer.from(String(body ?? ''), isBase64Encoded === true ? 'base64' : 'utf8');
}

/** Null is what API Gateway has in place of headers that are not there. */
function isEvent(value: unknown): value is Json {
  if (typeof value !== 'object' || value === null) return false;
  const { headers, multiValueHeaders }: Json = { ...value };
  return typeof headers === 'object' || typeof multiValueHeaders === 'object';
}

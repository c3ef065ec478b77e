import { WebhookError } from '../errors.ts';

/**
 * The headers of a received request: a `Headers` object, Node's `IncomingHttpHeaders`, or a plain
 * object with names in any case.
 */
export type CallbackHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads one header by its name, in whatever case the request spells it. */
export type ReadHeader = (name: string) => string | undefined;

/**
 * Returns a reader for any shape of headers.
 *
 * The reader throws WebhookError `signature_malformed` for a repeated header, because readers would
 * disagree on which value counts.
 */
export function headerReader(headers: CallbackHeaders): ReadHeader {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw new TypeError('headers must be a Headers object or an object of headers by name, not a list');
  }
  if (isHeadersObject(headers)) return (name) => headers.get(name) ?? undefined;
  return (name) => {
    const wanted = name.toLowerCase();
    const values = Object.entries(headers)
      .filter(([key]) => key.toLowerCase() === wanted)
      .flatMap(([, value]) => value ?? []);
    if (values.length > 1)
      throw new WebhookError('signature_malformed', `The header ${name} is there twice.`);
    return values[0];
  };
}

/** Reads a required header. Throws WebhookError `signature_missing` if it is absent or empty. */
export function requireHeader(read: ReadHeader, name: string): string {
  const value = read(name);
  if (value) return value;
  throw new WebhookError('signature_missing', `The header ${name} is missing.`);
}

function isHeadersObject(headers: CallbackHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

import { WebhookError } from '../errors.ts';
import { fieldPath } from '../events/field-path.ts';
import { checkPayload } from '../events/payload-check.ts';
import type { PayloadSchema } from '../events/payload-schema.ts';
import { MAX_PAYLOAD_DEPTH, payloadSnapshot } from './payload-snapshot.ts';

/** Largest payload, in bytes of its JSON text (256 KiB). */
export const MAX_PAYLOAD_BYTES = 262_144;

/**
 * The JSON text of a payload as it is stored, signed and sent. It is taken at once, so that later
 * changes to the object do not matter.
 *
 * @throws WebhookError `invalid_payload` unless the payload becomes a JSON object,
 *   `payload_too_large` above 256 KiB
 */
export function payloadText(payload: unknown): string {
  refusePromise(payload);
  const text = stringify(payload);
  if (text?.[0] !== '{' || (text.includes('{}') && holdsOpaque(payload))) {
    throw new WebhookError(
      'invalid_payload',
      'A payload must be an object that JSON.stringify turns into a JSON object, without a Map or the like in it',
    );
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_PAYLOAD_BYTES) {
    throw new WebhookError(
      'payload_too_large',
      `A payload has at most ${MAX_PAYLOAD_BYTES} bytes of JSON, this one ${bytes}`,
    );
  }
  return text;
}

/**
 * The JSON text of a schema's output for a payload. The payload is taken at once, even if the
 * schema is asynchronous.
 *
 * @throws WebhookError as {@link payloadText} does for the schema's output; `invalid_payload` with
 *   `errors`, or `schema_failed`, as {@link checkPayload} does
 */
export function checkedPayloadText(
  event: string,
  schema: PayloadSchema,
  payload: unknown,
): string | Promise<string> {
  refusePromise(payload);
  const checked = checkPayload(event, schema, snapshot(payload));
  if (checked instanceof Promise) return checked.then(({ output }) => payloadText(output));
  return payloadText(checked.output);
}

/** Refuses a promise, where an `await` was forgotten: JSON.stringify would give {}. */
function refusePromise(payload: unknown): void {
  if (typeof thenOf(payload) !== 'function') return;
  throw new WebhookError(
    'invalid_payload',
    'A payload is what a promise gives, not the promise: await it first',
  );
}

function thenOf(payload: unknown): unknown {
  try {
    return typeof payload === 'object' && payload !== null && 'then' in payload ? payload.then : undefined;
  } catch {
    // A getter that throws: JSON.stringify calls it as well.
    return undefined;
  }
}

function holdsOpaque(payload: unknown): boolean {
  let isFound = false;
  stringify(payload, (_key, value) => {
    isFound ||= isOpaque(value);
    return value;
  });
  return isFound;
}

/** Objects whose JSON is `{}` whatever they contain: maps, forms, bytes, private fields. */
function isOpaque(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null || Object.keys(payload).length > 0) return false;
  const prototype: unknown = Object.getPrototypeOf(payload);
  // Also of another realm: plain objects have a prototype without one.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain && !('toJSON' in payload);
}

function snapshot(payload: unknown): unknown {
  try {
    return payloadSnapshot(payload);
  } catch (cause) {
    throw new WebhookError(
      'invalid_payload',
      `A payload is nested at most ${MAX_PAYLOAD_DEPTH} levels deep`,
      {
        cause,
      },
    );
  }
}

function stringify(
  payload: unknown,
  replacer?: (key: string, value: unknown) => unknown,
): string | undefined {
  try {
    // Throws for cycles, BigInts and throwing toJSON methods; undefined for functions and symbols.
    return JSON.stringify(payload, replacer);
  } catch (cause) {
    const bigint = findBigInt(payload);
    const because = bigint ? `: ${bigint} is a bigint, which JSON does not have` : '';
    throw new WebhookError(
      'invalid_payload',
      `A payload must be an object that JSON.stringify accepts${because}`,
      { cause },
    );
  }
}

/** The path of the member at which JSON.stringify stopped, if that is a bigint. */
function findBigInt(payload: unknown): string | undefined {
  const paths = new Map<unknown, readonly string[]>();
  let last: { readonly path: readonly string[]; readonly value: unknown } = { path: [], value: payload };
  try {
    JSON.stringify(payload, function (this: unknown, key, value) {
      last = { path: [...(paths.get(this) ?? []), key], value };
      paths.set(value, last.path);
      return value;
    });
  } catch {
    // What it is has been told already.
  }
  return typeof last.value === 'bigint' ? fieldPath(last.path.slice(1)) : undefined;
}

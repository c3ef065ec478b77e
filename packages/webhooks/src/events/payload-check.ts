import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { type FieldError, WebhookError } from '../errors.ts';
import { fieldPath } from './field-path.ts';
import type { PayloadSchema } from './payload-schema.ts';

/** How long an asynchronous schema may take, in milliseconds. */
const SCHEMA_TIMEOUT_MS = 10_000;
/** The most refused fields that an error lists. */
const MAX_REPORTED_ERRORS = 20;

/** The output of a schema for a valid payload. */
export interface CheckedPayload {
  readonly output: unknown;
}

/**
 * Checks a payload against its event's schema. Returns synchronously if the schema does.
 *
 * @throws WebhookError `invalid_payload` with at most 20 `errors`, which name fields and never
 *   values; `schema_failed` if the schema throws (`cause`), does not answer in time, or returns
 *   neither a value nor issues
 */
export function checkPayload(
  event: string,
  schema: PayloadSchema,
  payload: unknown,
  timeoutMs: number = SCHEMA_TIMEOUT_MS,
): CheckedPayload | Promise<CheckedPayload> {
  const failed = (cause: unknown) =>
    new WebhookError('schema_failed', `The payload schema of ${event} threw`, { cause });
  const read = (result: unknown) => {
    try {
      return readResult(event, result, payload);
    } catch (error) {
      throw error instanceof WebhookError ? error : failed(error);
    }
  };
  let answer: unknown;
  try {
    answer = schema['~standard'].validate(payload);
  } catch (error) {
    throw failed(error);
  }
  if (!isThenable(answer)) return read(answer);
  const inTime = withDeadline(answer, timeoutMs, () => {
    throw new WebhookError(
      'schema_failed',
      `The payload schema of ${event} did not answer within ${timeoutMs} ms`,
    );
  });
  return inTime.then(read, (error: unknown) => {
    throw error instanceof WebhookError ? error : failed(error);
  });
}

function readResult(event: string, result: unknown, payload: unknown): CheckedPayload {
  if (!isObject(result)) throw new TypeError('a Standard Schema answered no object');
  const { issues, value } = result;
  if (!issues) {
    if (!('value' in result)) throw new TypeError('a Standard Schema answered neither a value nor issues');
    return { output: value };
  }
  if (!Array.isArray(issues)) throw new TypeError('the issues of a Standard Schema are no array');
  const errors = issues.slice(0, MAX_REPORTED_ERRORS).flatMap((issue) => fieldErrors(issue, payload));
  throw new WebhookError('invalid_payload', `The payload does not fit the schema of ${event}`, {
    errors: errors.slice(0, MAX_REPORTED_ERRORS),
  });
}

/** The messages that replace the schema's own, because libraries quote the value in theirs. */
const MESSAGES = {
  required: 'is missing',
  invalid_type: 'has a wrong type',
  too_small: 'is too small or too short',
  too_big: 'is too big or too long',
  unknown_field: 'is not a field of this payload',
  invalid_value: 'is not a valid value',
} as const;

/** Reads an issue of a Standard Schema, including the members that zod adds. */
function fieldErrors(issue: unknown, payload: unknown): FieldError[] {
  if (!isObject(issue)) throw new TypeError('an issue of a Standard Schema is no object');
  const segments: unknown[] = Array.isArray(issue.path) ? issue.path : [];
  const path = segments.map(keyOf);
  if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
    const keys: unknown[] = issue.keys;
    return keys
      .slice(0, MAX_REPORTED_ERRORS)
      .map((key) => fieldError([...path, String(key)], 'unknown_field'));
  }
  return [fieldError(path, errorCode(issue.code, path, payload))];
}

/** Reads a segment of a path: a key, or an object with a key. */
function keyOf(segment: unknown): PropertyKey {
  const key = isObject(segment) ? segment.key : segment;
  return typeof key === 'number' || typeof key === 'symbol' ? key : String(key);
}

function fieldError(path: readonly PropertyKey[], code: keyof typeof MESSAGES): FieldError {
  return { field: fieldPath(path), code, message: MESSAGES[code] };
}

/**
 * Finds a missing field by its path, for every library. Other codes come from zod's issues only.
 */
function errorCode(code: unknown, path: readonly PropertyKey[], payload: unknown): keyof typeof MESSAGES {
  if (path.length > 0 && isMissing(path, payload)) return 'required';
  return code === 'invalid_type' || code === 'too_small' || code === 'too_big' ? code : 'invalid_value';
}

function isMissing(path: readonly PropertyKey[], payload: unknown): boolean {
  let value = payload;
  for (const key of path) {
    if (!isObject(value)) return false;
    value = value[key];
  }
  return value === undefined;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value.then === 'function';
}

function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null;
}

import { systemClock } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import { type EventCatalog, payloadSchemaOf } from '../events/catalog.ts';
import { checkPayload } from '../events/payload-check.ts';
import { isTestDelivery } from '../test-deliveries.ts';
import { type CallbackHeaders, headerReader } from './callback-headers.ts';
import { type HmacKey, hmacKey, signedContent } from './hmac.ts';
import {
  SIGNATURE_SCHEMES,
  type SignatureClaims,
  type SignatureScheme,
  type SignatureSchemeName,
} from './signature-scheme.ts';
import { copyRawBody, type RawBody } from './signed-parts.ts';
import type { CallbackBody, ReceivedEvent, VerifiedEvent } from './verified-event.ts';

/** The maximum number of secrets in one call. */
const MAX_SECRETS = 8;

/**
 * A received request, and the options for verifying it. Exactly one of `secret` and `secrets` is
 * required.
 */
export interface VerifyInput<Source extends EventCatalog | CallbackBody = EventCatalog> {
  /** The signing secret, `whsec_…`. */
  readonly secret?: string;
  /**
   * Several signing secrets, at most 8. One of them must match. For a recipient that rotates
   * secrets itself.
   */
  readonly secrets?: readonly string[];
  readonly headers: CallbackHeaders;
  /**
   * The raw body, byte for byte as received: neither parsed nor serialised again. `undefined` or
   * an empty object, as Express 5 and 4 leave it of a request without a body, and `null` are
   * refused as an empty one.
   */
  readonly body: RawBody | undefined;
  /** Which headers to read. Default: `standard`. The other set is never consulted. */
  readonly scheme?: SignatureSchemeName;
  /**
   * How far the timestamp may be from now, in either direction. Default: 300 s for `standard`,
   * whose timestamp is that of the attempt; no limit for `x-webhook`, whose timestamp is that of
   * the delivery, also on retries.
   */
  readonly toleranceSeconds?: number;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /**
   * The events that the recipient expects. They type the result, and `verify` checks `data` against
   * the schema of its event. The schema must accept its own output after JSON. Default: only the
   * signature is checked.
   */
  readonly events?: (Source & EventCatalog) | undefined;
}

/**
 * Verifies a received callback and returns its event.
 *
 * It runs on every runtime with WebCrypto: Node, Bun, Deno, workers. It compares signatures in
 * constant time. A replay within the tolerance verifies again: store the ids of processed
 * deliveries. With `x-webhook`, the event in the header must be the one in the signed body.
 *
 * `data` is what the sender sent, without the transformations of a schema. An event that `events`
 * does not list is returned unchecked, as `UnknownEvent`: a recipient of `*` receives events that
 * it does not know yet.
 *
 * @typeParam Source `typeof events` of a catalog, or a union of callback bodies from generated
 *   types. The result is then a union discriminated by `type`. It is inferred from `events` if
 *   given.
 * @throws WebhookError `signature_missing`, `signature_malformed`, `signature_mismatch` (answer 401
 *   or 400), `signature_stale` (genuine but too old or too new), `body_malformed` (genuine, but not
 *   an event), `invalid_payload` (genuine, but `data` does not match its schema; `errors` names
 *   the fields), `schema_failed` (the schema threw or hung).
 * @throws TypeError if the call itself is wrong, for example a malformed secret or a parsed body.
 *
 * @example
 * ```ts
 * const secret = process.env.WEBHOOK_SECRET;
 * if (!secret) throw new Error('WEBHOOK_SECRET is not set');
 * const event = await verify({
 *   secret,
 *   headers: request.headers,
 *   body: await request.text(),
 * });
 * ```
 */
export async function verify<Source extends EventCatalog | CallbackBody = EventCatalog>(
  input: VerifyInput<Source>,
): Promise<ReceivedEvent<Source>>;
export async function verify(input: VerifyInput): Promise<VerifiedEvent> {
  const scheme = requireScheme(input.scheme ?? 'standard');
  const tolerance = requireTolerance(input.toleranceSeconds ?? scheme.defaultToleranceSeconds);
  const body = isAbsent(input.body) ? '' : copyRawBody(input.body);
  const events = requireEvents(input.events);
  const keys = await importKeys(input, scheme);
  const claims = scheme.readClaims(headerReader(input.headers));
  if (!(await hasValidSignature(claims, keys, body))) {
    throw new WebhookError('signature_mismatch', 'No signature fits the body, the headers and the secret.');
  }
  const ageSeconds = Math.floor((input.now ?? systemClock)() / 1000) - Number(claims.timestamp);
  // The negation refuses a clock that returns NaN.
  if (tolerance !== undefined && !(Math.abs(ageSeconds) <= tolerance)) {
    throw new WebhookError('signature_stale', `The timestamp is more than ${tolerance} s away from now.`);
  }
  const event = parseEvent(claims.id, body);
  if (claims.event !== undefined && claims.event !== event.type) {
    throw new WebhookError('signature_mismatch', 'The header X-Webhook-Event differs from the signed body.');
  }
  const schema = payloadSchemaOf(events, event.type);
  if (schema !== undefined) await checkPayload(event.type, schema, event.data);
  return event;
}

/** Express 5 leaves undefined of a request without a body, Express 4 an empty object. */
function isAbsent(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  const isPlain = typeof body === 'object' && Object.getPrototypeOf(body) === Object.prototype;
  return isPlain && Object.keys(body).length === 0;
}

async function importKeys(
  { secret, secrets }: VerifyInput,
  scheme: SignatureScheme,
): Promise<readonly HmacKey[]> {
  if ((secret === undefined) === (secrets === undefined)) {
    throw new TypeError('Exactly one of secret and secrets must be given');
  }
  const candidates: unknown = secrets === undefined ? [secret] : secrets;
  if (!isSecretList(candidates)) throw new TypeError('secrets must be an array of secrets');
  if (candidates.length < 1 || candidates.length > MAX_SECRETS) {
    throw new TypeError(`secrets has ${candidates.length} entries; it must have 1 to ${MAX_SECRETS}`);
  }
  return Promise.all(candidates.map((candidate) => hmacKey(scheme.keyBytes(candidate), 'verify')));
}

/** Checks the array only; the scheme checks its entries. */
function isSecretList(candidates: unknown): candidates is readonly string[] {
  return Array.isArray(candidates);
}

/** True if one of the signatures is that of the body with one of the keys. */
export async function hasValidSignature(
  { id, timestamp, signatures }: SignatureClaims,
  keys: readonly HmacKey[],
  body: string | Uint8Array,
): Promise<boolean> {
  const content = signedContent(id, timestamp, body);
  const checks = keys.flatMap((key) =>
    // WebCrypto computes the HMAC and compares it in constant time.
    signatures.map((signature) => globalThis.crypto.subtle.verify('HMAC', key, signature, content)),
  );
  return (await Promise.all(checks)).includes(true);
}

function parseEvent(id: string, body: string | Uint8Array): VerifiedEvent {
  const event = parseJson(body);
  if (!isRecord(event) || typeof event.type !== 'string' || typeof event.timestamp !== 'string') {
    throw malformedBody();
  }
  if (!isRecord(event.data)) throw malformedBody();
  return { id, isTest: isTestDelivery(id), type: event.type, timestamp: event.timestamp, data: event.data };
}

function parseJson(body: string | Uint8Array): unknown {
  try {
    // Keeps a byte order mark, so that the parser refuses it, as in text: JSON has none (RFC 8259
    // section 8.1).
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return JSON.parse(typeof body === 'string' ? body : decoder.decode(body));
  } catch {
    throw malformedBody();
  }
}

function malformedBody(): WebhookError {
  return new WebhookError('body_malformed', 'The body is not {"type", "timestamp", "data"} in JSON.');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requireScheme(name: SignatureSchemeName): SignatureScheme {
  if (Object.hasOwn(SIGNATURE_SCHEMES, name)) return SIGNATURE_SCHEMES[name];
  throw new TypeError(`scheme is ${JSON.stringify(name)}; it must be "standard" or "x-webhook"`);
}

function requireEvents(events: EventCatalog = {}): EventCatalog {
  const given: unknown = events;
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return events;
  throw new TypeError('events must be an object of events by name');
}

function requireTolerance(seconds: number | undefined): number | undefined {
  if (seconds === undefined || (Number.isFinite(seconds) && seconds >= 0)) return seconds;
  throw new TypeError(`toleranceSeconds is ${String(seconds)}; it must be a number of seconds, 0 or more`);
}

import { isEventName } from './event-name.ts';
import { isPayloadSchema, type PayloadSchema } from './payload-schema.ts';

/** An event as the discovery endpoint lists it. */
export interface KnownEvent {
  /** `entity.verb` form. */
  readonly name: string;
  /** The name for administrators, 1–200 characters. */
  readonly label: string;
}

/** One of a host's own events. */
export type EventDefinition = {
  /** The name for administrators, 1–200 characters. */
  readonly label: string;
  /** Validates a payload and produces the data to send. Default: any object is sent unchanged. */
  readonly payload?: PayloadSchema | undefined;
  /**
   * A payload such as `dispatch` takes, at most 32,768 bytes as JSON: shown to administrators,
   * and sent by their tests. It must not be confidential. Default: none.
   */
  readonly example?: object | undefined;
  /**
   * Whom the event is for. `tenant`: the customers' webhooks, too. `internal`: the host's own
   * webhooks alone, whatever the patterns of a customer's webhook. Default: `internal`.
   */
  readonly audience?: 'tenant' | 'internal' | undefined;
};

/**
 * A host's own events by name. As a type it gives `dispatch`, patterns and `verify` their types.
 */
export type EventCatalog = Readonly<Record<string, EventDefinition>>;

/** The event that the admin API's test operation sends. */
export const TEST_EVENT = 'webhook.test' as const;

const BUILT_IN = [
  ['user.registered', 'User self-registered'],
  ['user.created', 'Admin created a user'],
  ['user.updated', 'User profile updated'],
  ['user.deleted', 'User deleted'],
  ['user.bulk_deleted', 'Users bulk deleted'],
  ['admin.created', 'Admin created'],
  ['admin.updated', 'Admin updated'],
  ['admin.deleted', 'Admin deleted'],
  ['admin.bulk_deleted', 'Admins bulk deleted'],
  ['role.created', 'Role created'],
  ['role.updated', 'Role updated'],
  ['role.deleted', 'Role deleted'],
  ['session.revoked', 'Session revoked'],
  ['session.bulk_revoked', 'Sessions bulk revoked'],
  ['setting.updated', 'Setting updated'],
  [TEST_EVENT, 'Test event sent on request'],
] as const;

/** The name of an event that every installation knows unless `builtInEvents` leaves it out. */
export type BuiltInEventName = (typeof BUILT_IN)[number][0];

/**
 * The events that every installation knows unless `builtInEvents` leaves them out. An application
 * dispatches those that apply to it.
 */
export const BUILT_IN_EVENTS: readonly KnownEvent[] = Object.freeze(
  BUILT_IN.map(([name, label]) => Object.freeze({ name, label })),
);

const MAX_CUSTOM_EVENTS = 1_000;
const MAX_LABEL_LENGTH = 200;

/**
 * Declares a host's own events. The discovery endpoint lists them besides the built-in ones,
 * `dispatch` refuses a payload that does not match its schema, and their names and payloads become
 * types.
 *
 * @param catalog at most 1,000 events. A built-in name may get another label and a payload schema;
 *   `webhook.test` only a label, because the engine makes its payload.
 * @throws TypeError naming the event whose name or definition is invalid
 * @example
 * const payload = z.object({ id: z.int(), total: z.number() });
 * const events = defineEvents({ 'order.created': { label: 'Order placed', payload } });
 * const webhooks = createWebhooks({ storage, events });
 * webhooks.dispatch('order.created', { id: 7, total: 99.5 });
 */
export function defineEvents<const Catalog extends EventCatalog>(catalog: Catalog): Catalog {
  const given: unknown = catalog;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError('events must be an object of events by name');
  }
  const names = Object.keys(catalog);
  if (names.length > MAX_CUSTOM_EVENTS) {
    throw new TypeError(`events: ${names.length} given, at most ${MAX_CUSTOM_EVENTS}`);
  }
  for (const name of names) {
    if (!isEventName(name)) throw new TypeError(`events: "${name}" is no event name (entity.verb)`);
    assertDefinition(name, catalog[name]);
  }
  return Object.freeze({ ...catalog });
}

function assertDefinition(name: string, definition: unknown): void {
  if (typeof definition !== 'object' || definition === null) {
    throw new TypeError(`events: "${name}" must be an object with a label`);
  }
  const { label, payload, example, audience, ...rest }: Readonly<Record<string, unknown>> = { ...definition };
  if (typeof label !== 'string' || label.length < 1 || label.length > MAX_LABEL_LENGTH) {
    throw new TypeError(`events: the label of "${name}" must be text of 1–${MAX_LABEL_LENGTH} characters`);
  }
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw new TypeError(
      `events: "${name}" has an unknown member "${unknown}" (known: label, payload, example, audience)`,
    );
  }
  assertAudience(name, audience);
  const isOwnPayload = payload !== undefined || example !== undefined;
  if (name === TEST_EVENT && isOwnPayload) {
    throw new TypeError(`events: "${TEST_EVENT}" has a payload of its own already`);
  }
  if (payload !== undefined && !isPayloadSchema(payload)) {
    throw new TypeError(`events: the payload of "${name}" must be a Standard Schema (zod, valibot, …)`);
  }
  if (example !== undefined) assertExample(name, example, payload);
}

function assertAudience(name: string, audience: unknown): void {
  if (audience === undefined) return;
  if (audience !== 'tenant' && audience !== 'internal') {
    throw new TypeError(`events: the audience of "${name}" must be "tenant" or "internal"`);
  }
  const isTest = name === TEST_EVENT;
  if (isTest === (audience === 'tenant')) return;
  if (isTest || BUILT_IN.some(([builtIn]) => builtIn === name)) {
    throw new TypeError(`events: "${name}" is ${isTest ? 'always' : 'never'} for tenants`);
  }
}

/** True for the events that customers' webhooks receive: the test event, and those said to be. */
export function isForTenants(catalog: EventCatalog, event: string): boolean {
  return event === TEST_EVENT || (Object.hasOwn(catalog, event) && catalog[event]?.audience === 'tenant');
}

/** The payload schema of an event, if its catalog has one. */
export function payloadSchemaOf(catalog: EventCatalog, event: string): PayloadSchema | undefined {
  return Object.hasOwn(catalog, event) ? catalog[event]?.payload : undefined;
}

/** A copy of an event's example, if its catalog has one. */
export function exampleOf(
  catalog: EventCatalog,
  event: string,
): Readonly<Record<string, unknown>> | undefined {
  const example = Object.hasOwn(catalog, event) ? catalog[event]?.example : undefined;
  return example && JSON.parse(JSON.stringify(example));
}

/** Which built-in events an application has: all, none, or the named ones. */
export type BuiltInChoice = boolean | readonly BuiltInEventName[];

/**
 * Reads the option `builtInEvents`. The test event always stays.
 *
 * @throws TypeError unless it is a boolean or a list of built-in names
 */
export function builtInEventsOf(choice: unknown = true): readonly KnownEvent[] {
  if (choice === true) return BUILT_IN_EVENTS;
  const kept: unknown = choice === false ? [] : choice;
  if (!Array.isArray(kept)) throw wrongBuiltIn(choice);
  const names = new Set<unknown>(kept);
  for (const name of names) {
    if (!BUILT_IN_EVENTS.some((event) => event.name === name)) throw wrongBuiltIn(name);
  }
  return BUILT_IN_EVENTS.filter(({ name }) => name === TEST_EVENT || names.has(name));
}

function wrongBuiltIn(given: unknown): TypeError {
  const isEntry = typeof given === 'object' && given !== null && 'name' in given;
  const text =
    typeof given === 'string' ? JSON.stringify(given.slice(0, 128)) : `a value of type ${typeof given}`;
  const hint = isEntry ? ': names, not entries, as BUILT_IN_EVENTS.map(({ name }) => name) has them' : '';
  return new TypeError(
    `builtInEvents must be true, false or a list of names in BUILT_IN_EVENTS, not ${text}${hint}`,
  );
}

/** The built-in events, followed by the host's own and the test event, each name once. */
export function knownEvents(
  catalog: EventCatalog = {},
  builtIn: readonly KnownEvent[] = BUILT_IN_EVENTS,
): readonly KnownEvent[] {
  const labels = new Map(builtIn.map(({ name, label }) => [name, label]));
  for (const [name, { label }] of Object.entries(catalog)) labels.set(name, label);
  // Of all events it is the least of a product's own.
  const test = labels.get(TEST_EVENT);
  labels.delete(TEST_EVENT);
  if (test !== undefined) labels.set(TEST_EVENT, test);
  return Object.freeze([...labels].map(([name, label]) => Object.freeze({ name, label })));
}

/** An administrator may edit an example and send it in a body of 64 KiB. */
const MAX_EXAMPLE_BYTES = 32_768;

/**
 * Checks an event's example, against its schema as well unless that is asynchronous.
 *
 * @throws TypeError naming the event
 */
function assertExample(event: string, example: unknown, schema: PayloadSchema | undefined): void {
  const text = jsonText(example);
  if (text?.[0] !== '{' || new TextEncoder().encode(text).length > MAX_EXAMPLE_BYTES) {
    throw new TypeError(
      `events: the example of "${event}" must be an object of at most ${MAX_EXAMPLE_BYTES} bytes of JSON`,
    );
  }
  if (schema === undefined) return;
  const result: unknown = schema['~standard'].validate(JSON.parse(text));
  // Nobody waits for an asynchronous schema here: it decides when the example is sent.
  if (result instanceof Promise) result.catch(() => undefined);
  if (typeof result === 'object' && result !== null && 'issues' in result && result.issues) {
    throw new TypeError(`events: the example of "${event}" does not fit its payload schema`);
  }
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { BuiltInChoice, BuiltInEventName, EventCatalog, TEST_EVENT } from './catalog.ts';

/**
 * True for a catalog type without known names, such as the default. Every event is then allowed.
 */
type IsOpen<Catalog extends EventCatalog> = string extends keyof Catalog ? true : false;

/** The built-in names that the option `builtInEvents` keeps, besides the test event. */
export type KeptEvents<Choice extends BuiltInChoice> = Choice extends true
  ? BuiltInEventName
  : Choice extends readonly BuiltInEventName[]
    ? Choice[number]
    : never;

/**
 * The names of all events of an installation: the catalog's, the built-in ones that it keeps, and
 * the test event; any text without a catalog.
 */
export type EventName<
  Catalog extends EventCatalog = EventCatalog,
  BuiltIn extends BuiltInEventName = BuiltInEventName,
> = IsOpen<Catalog> extends true ? string : BuiltIn | typeof TEST_EVENT | (keyof Catalog & string);

/**
 * Every prefix pattern of a name: `order.*` and `order.item.*` for `order.item.added`. The
 * accumulator makes the type tail-recursive, so that the compiler handles the 64 segments that a
 * name may have.
 */
type PrefixPattern<
  Name extends string,
  Before extends string = '',
  Found extends string = never,
> = Name extends `${infer Segment}.${infer Rest}`
  ? PrefixPattern<Rest, `${Before}${Segment}.`, Found | `${Before}${Segment}.*`>
  : Found;

/**
 * A pattern to subscribe to: `*`, a name, or `<prefix>.*` if such events exist; any text without a
 * catalog.
 */
export type EventPattern<
  Catalog extends EventCatalog = EventCatalog,
  BuiltIn extends BuiltInEventName = BuiltInEventName,
> =
  IsOpen<Catalog> extends true
    ? string
    : '*' | EventName<Catalog, BuiltIn> | PrefixPattern<EventName<Catalog, BuiltIn>>;

type SchemaOf<Catalog extends EventCatalog, Event> = Event extends keyof Catalog
  ? Extract<Catalog[Event]['payload'], StandardSchemaV1>
  : never;

type NoFunction = object & { readonly [Symbol.hasInstance]?: never };

/**
 * Any value that JSON serialises as an object, including interfaces and classes. It excludes
 * arrays, Maps and Sets (which are iterable), functions (`Symbol.hasInstance`), dates
 * (`Symbol.toPrimitive`) and promises (`then`).
 */
export type AnyPayload =
  | (object & {
      readonly [Symbol.iterator]?: never;
      readonly [Symbol.hasInstance]?: never;
      readonly [Symbol.toPrimitive]?: never;
      readonly then?: string | number | boolean | null | undefined | NoFunction;
    })
  // Object literals, whose members the first alternative does not name.
  | Readonly<Record<string, unknown>>;

type InputOf<Catalog extends EventCatalog, Event> = [SchemaOf<Catalog, Event>] extends [never]
  ? AnyPayload
  : StandardSchemaV1.InferInput<SchemaOf<Catalog, Event>>;

/**
 * The payload that `dispatch` takes for an event: the input of its schema, or any object without a
 * schema. If the event is a union, the payload must match each member.
 */
export type EventPayload<Catalog extends EventCatalog, Event extends string> = (
  Event extends unknown
    ? (payload: InputOf<Catalog, Event>) => void
    : never
) extends (payload: infer Payload) => void
  ? Payload
  : never;

/**
 * The JSON of a value: the result of its `toJSON` method, if it has one; text for a date; nothing
 * for `undefined` and functions.
 */
export type JsonOf<Value> = 0 extends 1 & Value
  ? Value
  : Value extends { toJSON(): infer Json }
    ? Json
    : Value extends string | number | boolean | null
      ? Value
      : Value extends bigint | symbol | undefined | ((...args: never) => unknown)
        ? never
        : Value extends object
          ? { [Key in keyof Value]: JsonOf<Value[Key]> }
          : Value;

/**
 * The `data` of an event's callback: the JSON of its schema's output, or any object without a
 * schema.
 */
export type EventData<Catalog extends EventCatalog, Event extends string> = [
  SchemaOf<Catalog, Event>,
] extends [never]
  ? Readonly<Record<string, unknown>>
  : JsonOf<StandardSchemaV1.InferOutput<SchemaOf<Catalog, Event>>>;

import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { BuiltInEventName, EventCatalog } from './catalog.ts';

/** Whether a type knows its events by name. Without a catalog everything stays open. */
type IsOpen<Catalog extends EventCatalog> = string extends keyof Catalog ? true : false;

/** The names of all events of an installation: the catalog's and the built-in ones; any text without a catalog. */
export type EventName<Catalog extends EventCatalog = EventCatalog> =
  IsOpen<Catalog> extends true ? string : BuiltInEventName | (keyof Catalog & string);

/**
 * Every pattern of a prefix of a name: `order.*` and `order.item.*` of `order.item.added`. The result is carried along,
 * which lets the compiler go through the 64 segments that a name may have.
 */
type PrefixPattern<
  Name extends string,
  Before extends string = '',
  Found extends string = never,
> = Name extends `${infer Segment}.${infer Rest}`
  ? PrefixPattern<Rest, `${Before}${Segment}.`, Found | `${Before}${Segment}.*`>
  : Found;

/** What a webhook may subscribe to: `*`, a name, or `<prefix>.*` where such events exist; any text without a catalog. */
export type EventPattern<Catalog extends EventCatalog = EventCatalog> =
  IsOpen<Catalog> extends true ? string : '*' | EventName<Catalog> | PrefixPattern<EventName<Catalog>>;

type SchemaOf<Catalog extends EventCatalog, Event> = Event extends keyof Catalog
  ? Extract<Catalog[Event]['payload'], StandardSchemaV1>
  : never;

type NoFunction = object & { readonly [Symbol.hasInstance]?: never };

/**
 * Any object of which JSON makes one, interfaces and classes included: no array, Map or Set (which are iterable), no
 * function (which has `Symbol.hasInstance`), no date (`Symbol.toPrimitive`) and no promise (`then`).
 */
export type AnyPayload =
  | (object & {
      readonly [Symbol.iterator]?: never;
      readonly [Symbol.hasInstance]?: never;
      readonly [Symbol.toPrimitive]?: never;
      readonly then?: string | number | boolean | null | undefined | NoFunction;
    })
  // Object literals, whose members the other does not name.
  | Readonly<Record<string, unknown>>;

type InputOf<Catalog extends EventCatalog, Event> = [SchemaOf<Catalog, Event>] extends [never]
  ? AnyPayload
  : StandardSchemaV1.InferInput<SchemaOf<Catalog, Event>>;

/**
 * What `dispatch` takes for an event: the input of its schema, any object without one. Where the event is one of
 * several, the payload must fit each of them.
 */
export type EventPayload<Catalog extends EventCatalog, Event extends string> = (
  Event extends unknown
    ? (payload: InputOf<Catalog, Event>) => void
    : never
) extends (payload: infer Payload) => void
  ? Payload
  : never;

/**
 * What JSON makes of a value: text of a date, nothing of `undefined` and functions, the result of `toJSON` of what has
 * one.
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

/** The `data` of an event's callback: the output of its schema as JSON, an object of anything without one. */
export type EventData<Catalog extends EventCatalog, Event extends string> = [
  SchemaOf<Catalog, Event>,
] extends [never]
  ? Readonly<Record<string, unknown>>
  : JsonOf<StandardSchemaV1.InferOutput<SchemaOf<Catalog, Event>>>;

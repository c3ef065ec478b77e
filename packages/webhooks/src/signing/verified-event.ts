import type { EventCatalog } from '../events/catalog.ts';
import type { EventData, EventName } from '../events/typed-catalog.ts';

/** A callback whose signature was right. */
export interface VerifiedEvent<Type extends string = string, Data = Readonly<Record<string, unknown>>> {
  /** The delivery's id, the same on every attempt and redelivery: deduplicate on it. */
  readonly id: string;
  /** The event's name, such as `user.created`. */
  readonly type: Type;
  /** When the delivery was created, RFC 3339. */
  readonly timestamp: string;
  readonly data: Data;
}

declare const notInTheCatalog: unique symbol;

/**
 * A genuine event whose type the recipient's catalog does not name: the sender has events that the recipient does not
 * know yet. Its `type` is text that equals no known name, as far as the compiler is concerned, so that comparing
 * `event.type` with a known name leaves that event alone.
 */
export type UnknownEvent = VerifiedEvent<EventNameText & { readonly [notInTheCatalog]: true }>;

/** A pattern, because beside `string` the compiler does not tell a union apart by its literals. */
type EventNameText = `${string}.${string}`;

/** The body of a callback, as the types made from the sender's OpenAPI document have it; usually a union. */
export interface CallbackBody {
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

/**
 * What `verify` gives for a catalog (`typeof events`) or a union of callback bodies: one type per event, told apart by
 * `type`, and {@link UnknownEvent} for all others.
 */
export type ReceivedEvent<Source extends EventCatalog | CallbackBody> = Source extends CallbackBody
  ? string extends Source['type']
    ? VerifiedEvent
    : VerifiedEvent<Source['type'], Source['data']> | UnknownEvent
  : Source extends EventCatalog
    ? string extends keyof Source
      ? VerifiedEvent
      :
          | { [Type in EventName<Source>]: VerifiedEvent<Type, EventData<Source, Type>> }[EventName<Source>]
          | UnknownEvent
    : never;

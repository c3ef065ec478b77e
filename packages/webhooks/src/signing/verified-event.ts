import type { EventCatalog } from '../events/catalog.ts';
import type { EventData, EventName } from '../events/typed-catalog.ts';

/** A callback with a valid signature. */
export interface VerifiedEvent<Type extends string = string, Data = Readonly<Record<string, unknown>>> {
  /** The delivery's id, the same on every attempt and redelivery: deduplicate on it. */
  readonly id: string;
  /**
   * True for a test that an administrator sent, with any event and any payload: what has
   * consequences must not act on it. By the id, which is signed.
   */
  readonly isTest: boolean;
  /** The event's name, such as `user.created`. */
  readonly type: Type;
  /** When the delivery was created, RFC 3339. */
  readonly timestamp: string;
  readonly data: Data;
}

declare const notInTheCatalog: unique symbol;

/**
 * A genuine event that the recipient's catalog does not list, because the sender has events that
 * the recipient does not know yet. To the compiler its `type` equals no known name, so that
 * comparing `event.type` with a known name narrows the union to that event.
 */
export type UnknownEvent = VerifiedEvent<EventNameText & { readonly [notInTheCatalog]: true }>;

/**
 * A template literal, because the compiler does not discriminate a union by literals if one member
 * is `string`.
 */
type EventNameText = `${string}.${string}`;

/**
 * The body of a callback in the types generated from the sender's OpenAPI document, usually a
 * union.
 */
export interface CallbackBody {
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

/**
 * The result of `verify` for a catalog (`typeof events`) or a union of callback bodies: one type
 * per event, discriminated by `type`, and {@link UnknownEvent} for all others.
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

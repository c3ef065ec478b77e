import { timestampText } from '../clock.ts';
import { WebhookError } from '../errors.ts';
import type { DeliveryPlace } from '../storage/delivery-requests.ts';

/** Ends every position, so that a truncated one is not another: no position contains it. */
const END = '.';
/** There is no year 0. */
const FIRST_TIME = '0001-01-01T00:00:00.000Z';

/** What goes on at a place: a webhook's history, a search across webhooks, or a recovery. */
export type PlaceOf = 'history' | 'search' | 'recovery';

/**
 * Encodes the place after which the next page begins, as opaque text. It contains the id and the
 * time of the last delivery. New deliveries therefore do not shift pages, and a page costs the same
 * however far back it is.
 */
export function encodePlace(kind: PlaceOf, { createdAt, id }: DeliveryPlace): string {
  return Buffer.from(`${kind[0]}${createdAt} ${id}${END}`).toString('base64url');
}

/** @throws WebhookError `validation_failed` for text that `encodePlace` made of no such kind */
export function decodePlace(kind: PlaceOf, cursor: string): DeliveryPlace {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, createdAt = '', id = ''] =
    /^[hrs](\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([1-9]\d{0,15})\.$/.exec(text) ?? [];
  const place = { createdAt, id: Number(id) };
  const isPlace = Number.isSafeInteger(place.id) && place.id > 0 && isTime(createdAt);
  return isPlace && encodePlace(kind, place) === cursor ? place : invalidCursor();
}

function isTime(text: string): boolean {
  const epochMs = Date.parse(text);
  return text >= FIRST_TIME && !Number.isNaN(epochMs) && timestampText(epochMs) === text;
}

function invalidCursor(): never {
  throw new WebhookError('validation_failed', 'The cursor is not one of an earlier response', {
    errors: [
      { field: 'cursor', code: 'invalid_cursor', message: 'must be the next_cursor of an earlier response' },
    ],
  });
}

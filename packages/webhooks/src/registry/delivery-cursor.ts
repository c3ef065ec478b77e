import { WebhookError } from '../errors.ts';
import type { DeliveryPlace } from '../storage/delivery-requests.ts';

/**
 * Encodes the position in a history after which the next page begins, as opaque text. It contains
 * the id of the last delivery shown. New deliveries therefore do not shift pages, and a page costs
 * the same however far back it is.
 */
export function encodeCursor(lastId: number): string {
  return Buffer.from(`d${lastId}`).toString('base64url');
}

/** @throws WebhookError `validation_failed` for text that `encodeCursor` did not produce */
export function decodeCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const id = /^d[1-9]\d{0,15}$/.test(text) ? Number(text.slice(1)) : Number.NaN;
  if (Number.isSafeInteger(id) && encodeCursor(id) === cursor) return id;
  return invalidCursor();
}

/** What goes on in the order of creation: one from the newest delivery, one from the oldest. */
export type PlaceOf = 'search' | 'recovery';

/** The same for a position in the order of creation. */
export function encodePlace(kind: PlaceOf, { createdAt, id }: DeliveryPlace): string {
  return Buffer.from(`${kind[0]}${createdAt} ${id}`).toString('base64url');
}

/** @throws WebhookError `validation_failed` for text that `encodePlace` made of no such kind */
export function decodePlace(kind: PlaceOf, cursor: string): DeliveryPlace {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, createdAt = '', id = ''] =
    /^[rs](\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([1-9]\d{0,15})$/.exec(text) ?? [];
  const place = { createdAt, id: Number(id) };
  if (Number.isSafeInteger(place.id) && place.id > 0 && encodePlace(kind, place) === cursor) return place;
  return invalidCursor();
}

function invalidCursor(): never {
  throw new WebhookError('validation_failed', 'The cursor is not one of an earlier response', {
    errors: [
      { field: 'cursor', code: 'invalid_cursor', message: 'must be the next_cursor of an earlier response' },
    ],
  });
}

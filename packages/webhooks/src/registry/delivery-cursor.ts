import { WebhookError } from '../errors.ts';

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
  throw new WebhookError('validation_failed', 'The cursor is not one of a page before', {
    errors: [{ field: 'cursor', code: 'invalid_cursor', message: 'is not a next_cursor of a page before' }],
  });
}

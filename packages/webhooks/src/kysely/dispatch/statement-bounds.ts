/**
 * The most deliveries that one statement writes, which bounds how long it blocks the event loop.
 */
export const MAX_ROWS_PER_STATEMENT = 500;

/** The most bytes of payload that one statement writes, one row at the least. */
const MAX_BYTES_PER_STATEMENT = 4 * 1024 * 1024;

/**
 * A payload is JSON; as a text within JSON each of its quotes and backslashes takes two characters.
 */
export const MAX_GROWTH_IN_JSON = 2;

/** How many deliveries with this payload one statement writes. */
export function rowsPerStatement(payload: string): number {
  const bytes = Math.max(Buffer.byteLength(payload), 1);
  return Math.max(1, Math.min(MAX_ROWS_PER_STATEMENT, Math.floor(MAX_BYTES_PER_STATEMENT / bytes)));
}

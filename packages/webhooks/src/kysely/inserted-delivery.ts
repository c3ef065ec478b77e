/** A delivery that a dispatch has written. */
export interface InsertedDelivery {
  readonly webhookId: number;
  readonly deliveryId: string;
}

/** Most deliveries that one statement writes: what holds up the process between two turns of its event loop. */
export const MAX_ROWS_PER_STATEMENT = 500;

/** Most bytes of payload that one statement writes, one row at the least: each row holds its own copy. */
export const MAX_BYTES_PER_STATEMENT = 4 * 1024 * 1024;

/** How many deliveries with this payload one statement writes. */
export function rowsPerStatement(payload: string): number {
  const bytes = Math.max(Buffer.byteLength(payload), 1);
  return Math.max(1, Math.min(MAX_ROWS_PER_STATEMENT, Math.floor(MAX_BYTES_PER_STATEMENT / bytes)));
}

import { type RawBuilder, sql } from 'kysely';

/**
 * `ms` from now, by the server's clock and not the transaction's: a host's transaction may have
 * begun long ago.
 */
export function timestampAfter(ms: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char((statement_timestamp() + (${ms}) * interval '1 millisecond') at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

import { type RawBuilder, sql } from 'kysely';

/** The server's clock, in the one format of all timestamps. */
export function timestampAfter(ms: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`concat(left(date_format(
    date_add(utc_timestamp(3), interval ${ms} * 1000 microsecond), '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`;
}

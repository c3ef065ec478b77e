import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Who makes transactions read-only for good: the application or its role. A server may do so for a
 * while, as when its disk is full.
 */
const HOST_SOURCES: readonly string[] = ['client', 'session', 'user', 'database user', 'database'];

/**
 * The setting of the database or session that cannot represent every text, and what to set;
 * undefined if there is none.
 */
export async function findPostgresFault(connection: QueryExecutorProvider): Promise<string | undefined> {
  const { rows } = await sql<{ server: string; client: string }>`
    select current_setting('server_encoding') as server, current_setting('client_encoding') as client`.execute(
    connection,
  );
  const [encoding] = rows;
  if (encoding === undefined) return undefined;
  const { server, client } = encoding;
  if (server !== 'UTF8') {
    return `the database's encoding must be UTF8, and server_encoding is ${server}: create a database with encoding 'UTF8' template template0`;
  }
  if (client !== 'UTF8') {
    return `client_encoding must be UTF8, and is ${client}: set it for the connections of db`;
  }
  return undefined;
}

/** The setting with which the application, or its role, made transactions read-only. */
export async function findPostgresReadOnlySetting(
  connection: QueryExecutorProvider,
): Promise<string | undefined> {
  const { rows } = await sql<{ source: string }>`
    select source from pg_settings where name = 'default_transaction_read_only' and setting = 'on'`.execute(
    connection,
  );
  const source = rows.map((row) => row.source).find((each) => HOST_SOURCES.includes(each));
  if (source === undefined) return undefined;
  return `default_transaction_read_only is on (by ${source}), so that nothing can be written: set it to off for the connections of db`;
}

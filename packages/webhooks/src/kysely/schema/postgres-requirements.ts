import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Who makes transactions read-only for good: the application or its role. A server may do so for a
 * while, as when its disk is full.
 */
const HOST_SOURCES: readonly string[] = ['client', 'session', 'user', 'database user', 'database'];

/**
 * The setting of the database or session that cannot represent every text, and what to set;
 * undefined where there is none.
 */
export async function findPostgresFault(connection: QueryExecutorProvider): Promise<string | undefined> {
  const { rows } = await sql<{ server: string; client: string; read_only_by: string | null }>`
    select current_setting('server_encoding') as server, current_setting('client_encoding') as client,
      (select source from pg_settings where name = 'default_transaction_read_only' and setting = 'on') as read_only_by`.execute(
    connection,
  );
  const [encoding] = rows;
  if (encoding === undefined) return undefined;
  const { server, client, read_only_by: readOnlyBy } = encoding;
  if (server !== 'UTF8') {
    return `the database's encoding must be UTF8, and server_encoding is ${server}: create a database with encoding 'UTF8' template template0`;
  }
  if (client !== 'UTF8') {
    return `client_encoding must be UTF8, and is ${client}: set it for the connections of db`;
  }
  if (readOnlyBy !== null && HOST_SOURCES.includes(readOnlyBy)) {
    return `default_transaction_read_only is on (by ${readOnlyBy}), so that nothing can be written: set it to off for the connections of db`;
  }
  return undefined;
}

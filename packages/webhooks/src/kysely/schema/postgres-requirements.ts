import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * The setting of the database or session that cannot represent every text, and what to set;
 * undefined where there is none.
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

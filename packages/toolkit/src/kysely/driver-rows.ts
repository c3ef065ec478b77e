import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * The option of mysql2 with which rows are no objects of plain values, and what to do; undefined
 * where they are.
 */
export async function findRowFault(connection: QueryExecutorProvider): Promise<string | undefined> {
  const { rows } = await sql<{ one: unknown }>`select 1 as one`.execute(connection);
  const [row] = rows;
  if (row === undefined || (Number(row.one) === 1 && typeof row.one !== 'object')) return undefined;
  const remedy = 'take it out of the pool that you give to Kysely, and set it for your own queries instead';
  if (Array.isArray(row)) return `with the option rowsAsArray of mysql2, rows have no names: ${remedy}`;
  if (row.one === undefined)
    return `with the option nestTables of mysql2, columns have other names: ${remedy}`;
  return `with the option typeCast of mysql2, values do not arrive as what they are: ${remedy}`;
}

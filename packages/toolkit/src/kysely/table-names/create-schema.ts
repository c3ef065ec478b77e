import { type Kysely, sql } from 'kysely';

/**
 * Creates a schema of PostgreSQL unless it exists. Looks first: `create schema if not exists` takes
 * a privilege that a role lacks which only uses the schema.
 */
export async function createSchema<DB>(db: Kysely<DB>, schema: string): Promise<void> {
  const plain = db.withoutPlugins();
  const isThere = async () => {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(plain);
    return rows.length > 0;
  };
  if (await isThere()) return;
  try {
    await plain.schema.createSchema(schema).execute();
  } catch (error) {
    // Another process may have been faster.
    if (!(await isThere())) throw error;
  }
}

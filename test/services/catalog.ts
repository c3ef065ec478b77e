import { type Kysely, sql } from 'kysely';

/** Everything a database holds, as text to compare: `names`, and how each of them is defined. */
export interface Catalog {
  /** Of tables, indexes and constraints, in order. */
  readonly names: readonly string[];
  readonly definitions: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Reads the catalog of a database, of PostgreSQL the schema `schema`; statistics and contents are
 * no part of it.
 */
export async function catalogOf<DB>(db: Kysely<DB>, schema = 'public'): Promise<Catalog> {
  const kind = db.getExecutor().adapter.constructor.name;
  const rows = await READERS[kind]?.(async (query) => (await query.execute(db)).rows, schema);
  if (rows === undefined) throw new Error(`no catalog is read with ${kind}`);
  return {
    names: [...new Set(rows.map(({ name }) => String(name)))].sort(),
    definitions: rows.map((row) => JSON.stringify(row)).sort(),
  };
}

type Read = (query: ReturnType<typeof sql<Row>>) => Promise<Row[]>;

const READERS: Readonly<Record<string, (read: Read, schema: string) => Promise<Row[]>>> = {
  SqliteAdapter: (read) =>
    read(sql`select name, type, tbl_name, sql from sqlite_master where name not like 'sqlite_%'`),

  async PostgresAdapter(read, schema) {
    const columns = await read(sql`select table_name as name, column_name, ordinal_position, data_type,
      collation_name, column_default, is_nullable, identity_generation
      from information_schema.columns where table_schema = ${schema}`);
    const relations =
      await read(sql`select relname as name, relkind, reloptions, pg_get_indexdef(oid) as index
      from pg_class where relnamespace = to_regnamespace(quote_ident(${schema}))`);
    const constraints = await read(sql`select conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = to_regnamespace(quote_ident(${schema}))`);
    return [...columns, ...relations, ...constraints];
  },

  async MysqlAdapter(read) {
    const tables = await read(
      sql`select table_name as name from information_schema.tables where table_schema = database()`,
    );
    const definitions: Row[] = [];
    for (const { name } of tables) {
      const [created] = await read(sql`show create table ${sql.table(String(name))}`);
      const text = String(created?.['Create Table']).replace(/ AUTO_INCREMENT=\d+/, '');
      definitions.push({ name, text });
    }
    const indexes = await read(sql`select distinct index_name as name from information_schema.statistics
      where table_schema = database() and index_name <> 'PRIMARY'`);
    const keys = await read(sql`select constraint_name as name from information_schema.table_constraints
      where table_schema = database() and constraint_name <> 'PRIMARY'`);
    return [...definitions, ...indexes, ...keys];
  },
};

import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import type { DatabaseName } from '../../database-name.ts';
import { ANY_COLLATION } from '../printed-sql/any-collation.ts';
import { recordStatements } from '../printed-sql/statement-recorder.ts';

type Migrations = Readonly<Record<string, { up(db: Kysely<unknown>): Promise<void> }>>;

/**
 * Returns the migrations whose tables are there already, with every column: a record of migrations
 * that was emptied with all tables, or lost, is written again, and the rows stay.
 *
 * A table of another program lacks a column. Whatever else keeps a table from being read says that
 * it is not ours, and applying the migration then shows why.
 *
 * @param db gives the tables the names that they have in the database
 */
export async function ownMigrations<DB>(
  db: Kysely<DB>,
  dialect: DatabaseName,
  migrations: Migrations,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>();
  for (const [name, { up }] of Object.entries(migrations)) {
    const tables = await createdBy(dialect, up);
    const found = await Promise.all(tables.map(([table, columns]) => hasColumns(db, table, columns)));
    if (tables.length > 0 && found.every(Boolean)) own.add(name);
  }
  return own;
}

/** Leaves what exists: a migration then creates the indexes that its tables lack. */
export const WHERE_MISSING: KyselyPlugin = {
  transformQuery({ node }) {
    const creates = node.kind === 'CreateTableNode' || node.kind === 'CreateIndexNode';
    return creates ? { ...node, ifNotExists: true } : node;
  },
  transformResult: async ({ result }) => result,
};

type CreatedTable = readonly [name: string, columns: readonly string[]];

/** The tables that a migration creates, read from its statements. */
async function createdBy(
  dialect: DatabaseName,
  up: (db: Kysely<unknown>) => Promise<void>,
): Promise<readonly CreatedTable[]> {
  const tables: CreatedTable[] = [];
  const collect: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === 'CreateTableNode') {
        tables.push([node.table.table.identifier.name, node.columns.map(({ column }) => column.column.name)]);
      }
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await up(recordStatements(dialect, [ANY_COLLATION]).db.withPlugin(collect));
  return tables;
}

async function hasColumns<DB>(db: Kysely<DB>, table: string, columns: readonly string[]): Promise<boolean> {
  try {
    const list = sql.join(columns.map((column) => sql.ref(`${table}.${column}`)));
    await sql`select ${list} from ${sql.table(table)} where 1 = 0`.execute(db);
    return true;
  } catch {
    return false;
  }
}

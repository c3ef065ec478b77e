import {
  type CompiledQuery,
  type Kysely,
  type KyselyPlugin,
  QueryCreator,
  type QueryExecutor,
  type QueryExecutorProvider,
  WithSchemaPlugin,
} from 'kysely';
import type { DatabaseName } from '../../database-name.ts';
import { hasClassName } from '../../has-class-name.ts';
import { RenameTransformer, type Renaming } from './rename-transformer.ts';
import { readTableNameOptions, type TableNameOptions } from './table-name-options.ts';

/** What a package calls its tables, and what belongs to them, where no option says otherwise. */
export interface DefaultNames {
  readonly tables: readonly string[];
  /** Indexes and constraints. */
  readonly others: readonly string[];
}

/** The names of one package's tables in one database. */
export interface TableNaming {
  /** The schema of the tables; undefined if the connection's settings find them. */
  readonly schema: string | undefined;

  /** Distinguishes locks of tables with different names; '' for the default names. */
  readonly lockName: string;

  /** The name in the database of a table, as a message tells it. */
  nameOf(table: string): string;

  /** The host's instance or transaction for our statements: without its plugins, with our names. */
  on<DB>(db: Kysely<DB>): Kysely<DB>;

  /** The same, of an executor alone. */
  executorOf(host: QueryExecutorProvider): QueryExecutor;

  /**
   * True if the host called `withSchema` and no option names a schema: our statements would be in
   * another one than the host's.
   */
  overlooksSchemaOf(host: QueryExecutorProvider): boolean;
}

/**
 * Reads the options once; every statement then has the names from here. The default names cost a
 * statement nothing.
 *
 * @throws TypeError naming the option and its bounds; for a `db` of `withSchema` without the option
 *   `schema`
 */
export function createTableNaming(
  { tables, others }: DefaultNames,
  db: QueryExecutorProvider,
  options: TableNameOptions,
  dialect: DatabaseName,
): TableNaming {
  const { tablePrefix = '', schema } = readTableNameOptions(options, dialect);
  const overlooksSchemaOf = (host: QueryExecutorProvider) => schema === undefined && hasSchema(host);
  if (overlooksSchemaOf(db)) throw new TypeError(`db ${SCHEMA_IS_AN_OPTION}`);
  const plugins: readonly KyselyPlugin[] =
    tablePrefix === '' && schema === undefined
      ? []
      : [
          renamingPlugin({
            names: new Map([...tables, ...others].map((name) => [name, tablePrefix + name])),
            tables: new Set(tables),
            schema,
          }),
        ];
  return Object.freeze<TableNaming>({
    schema,
    lockName: schema === undefined ? tablePrefix : `${schema}.${tablePrefix}`,
    nameOf: (table) => (schema === undefined ? '' : `${schema}.`) + tablePrefix + table,
    on: (db) => plugins.reduce((plain, plugin) => plain.withPlugin(plugin), db.withoutPlugins()),
    executorOf: (host) =>
      plugins.reduce((plain, plugin) => plain.withPlugin(plugin), host.getExecutor().withoutPlugins()),
    overlooksSchemaOf,
  });
}

/** Why {@link TableNaming.overlooksSchemaOf} is refused, after the name of the host's object. */
export const SCHEMA_IS_AN_OPTION =
  'must not come from withSchema(): name the schema by the option schema (PostgreSQL), or pass it with withoutPlugins()';

/** Whether the host called `withSchema` for it. */
export function hasSchema(host: QueryExecutorProvider): boolean {
  return host
    .getExecutor()
    .plugins.some((plugin) => plugin instanceof WithSchemaPlugin || hasClassName(plugin, 'WithSchemaPlugin'));
}

/**
 * Returns typed statements on a package's tables over the host's connection or transaction, without
 * the host's plugins. A plugin that renames columns or parses JSON in results would change the
 * meaning of the rows.
 *
 * @param texts shared by all that have the same names. Default: none
 */
export function tablesOf<Tables>(
  host: QueryExecutorProvider,
  { executorOf }: Pick<TableNaming, 'executorOf'>,
  texts: StatementTexts = new Map(),
): OwnTables<Tables> {
  const executor = executorOf(host);
  return Object.assign(new QueryCreator<Tables>({ executor }), { executor, texts });
}

/** Typed statements, and what runs those that are compiled once. */
export type OwnTables<Tables> = QueryCreator<Tables> & {
  readonly executor: QueryExecutor;
  readonly texts: StatementTexts;
};

/**
 * The texts of statements that are compiled once, by what builds them and by their shape: of one
 * dialect, one naming and no further plugin.
 */
export type StatementTexts = Map<unknown, Map<unknown, CompiledQuery>>;

function renamingPlugin(renaming: Renaming): KyselyPlugin {
  const transformer = new RenameTransformer(renaming);
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
}

import { sql } from 'kysely';
import type { ColumnTypes, SchemaDialect } from './schema-dialect.ts';
import { transactionalDefinitions } from './transactional-schema.ts';

const TEXT = sql`text`;
const INTEGER = sql`integer`;

const types: ColumnTypes = {
  bigInteger: INTEGER,
  integer: INTEGER,
  keyText: () => TEXT,
  text: TEXT,
  longText: TEXT,
  textDefault: (value) => sql.lit(value),
  generatedId: (column) => column.autoIncrement(),
  clusterByKey: (table) => table.modifyEnd(sql`without rowid`),
};

export const sqliteSchema: SchemaDialect = {
  ...transactionalDefinitions,
  columnTypes: async () => types,
  // A row is updated in place.
  prepareForUpdates: async () => {},
  // Writers run one at a time: the second process finds what the first did.
  exclusively: (db, _lockName, work) => work((migrate) => db.transaction().execute(migrate)),
};

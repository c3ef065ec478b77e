import { type Kysely, sql } from 'kysely';
import type { WebhookDialect } from '../dialect.ts';
import { dialectOf } from '../dialect-of.ts';
import { PENDING } from '../pending.ts';
import type { ColumnTypes, NewColumn, NewIndex, SchemaDialect } from '../schema-dialect.ts';
import { tablesOf } from '../tables.ts';
import { MAX_TIME_CHARACTERS, MAX_TOKEN_CHARACTERS } from './create-tables.ts';

/**
 * Secrets in rotation, why a webhook is inactive, the line of due deliveries, results that can be told again, and counters
 * of deliveries; with what the rows that are there already have to say in them. Not beside processes of an earlier version: they count nothing.
 */
export async function addTurnsAndActivity<DB>(db: Kysely<DB>): Promise<void> {
  const dialect = dialectOf(db);
  const { schema } = dialect;
  const types = await schema.columnTypes(db);
  for (const column of webhookColumns(types)) await schema.addColumn(db, 'webhooks', column);
  for (const column of deliveryColumns(types)) await schema.addColumn(db, 'webhook_deliveries', column);
  await createActivity(db, schema, types);
  await standInLine(db);
  await countDeliveries(db);
  for (const index of deliveryIndexes(dialect)) await schema.createIndex(db, index);
  await schema.dropIndex(db, 'webhook_deliveries', 'webhook_deliveries_due');
}

export async function dropTurnsAndActivity<DB>(db: Kysely<DB>): Promise<void> {
  const dialect = dialectOf(db);
  const { schema } = dialect;
  const types = await schema.columnTypes(db);
  await schema.createIndex(db, {
    ...{ name: 'webhook_deliveries_due', table: 'webhook_deliveries', columns: ['next_attempt_at', 'id'] },
    where: ['status', 'pending'],
  });
  for (const { name } of deliveryIndexes(dialect)) await schema.dropIndex(db, 'webhook_deliveries', name);
  await db.schema.dropTable('webhook_activity').ifExists().execute();
  const dropColumns = async (table: string, columns: readonly NewColumn[]) => {
    for (const { name } of columns) await db.schema.alterTable(table).dropColumn(name).execute();
  };
  await dropColumns('webhook_deliveries', deliveryColumns(types));
  await dropColumns('webhooks', webhookColumns(types));
}

function webhookColumns({ text, keyText, integer }: ColumnTypes): readonly NewColumn[] {
  return [
    { name: 'previous_secret', type: text, define: (column) => column },
    { name: 'previous_secret_expires_at', type: keyText(MAX_TIME_CHARACTERS), define: (column) => column },
    { name: 'activations', type: integer, define: (column) => column.notNull().defaultTo(0) },
    { name: 'inactive_reason', type: keyText(16), define: (column) => column.notNull().defaultTo('') },
  ];
}

function deliveryColumns({ keyText, integer }: ColumnTypes): readonly NewColumn[] {
  return [
    { name: 'turn_at', type: keyText(MAX_TIME_CHARACTERS), define: (column) => column },
    { name: 'recorded_token', type: keyText(MAX_TOKEN_CHARACTERS), define: (column) => column },
    { name: 'is_counted', type: integer, define: (column) => column.notNull().defaultTo(1) },
    { name: 'activation', type: integer, define: (column) => column.notNull().defaultTo(0) },
  ];
}

const DELIVERY_INDEXES: readonly NewIndex[] = [
  // Only pending rows are in the first two: a claim costs the same with a thousand ended deliveries and with a million.
  pendingIndex('webhook_deliveries_turn', ['turn_at', 'id']),
  pendingIndex('webhook_deliveries_waiting', ['webhook_id', 'turn_at', 'id']),
  // Failures are few: what is recovered, and how many there were in a row.
  failedIndex('webhook_deliveries_failed', ['created_at', 'id', 'webhook_id']),
  failedIndex('webhook_deliveries_in_a_row', ['webhook_id', 'activation', 'completed_at']),
];

const UNCOUNTED_INDEX: NewIndex = {
  name: 'webhook_deliveries_uncounted',
  ...{ table: 'webhook_deliveries', columns: ['webhook_id', 'created_at'], where: ['is_counted', 0] },
};

function deliveryIndexes({ isEmbedded }: WebhookDialect): readonly NewIndex[] {
  return isEmbedded ? DELIVERY_INDEXES : [...DELIVERY_INDEXES, UNCOUNTED_INDEX];
}

function pendingIndex(name: string, columns: readonly string[]): NewIndex {
  return { name, table: 'webhook_deliveries', columns, where: ['status', 'pending'] };
}

function failedIndex(name: string, columns: readonly string[]): NewIndex {
  return { name, table: 'webhook_deliveries', columns, where: ['status', 'failed'] };
}

async function createActivity<DB>(db: Kysely<DB>, schema: SchemaDialect, types: ColumnTypes): Promise<void> {
  const counter = {
    type: types.integer,
    define: (column: Parameters<NewColumn['define']>[0]) => column.notNull(),
  };
  const table = db.schema
    .createTable('webhook_activity')
    .addColumn('webhook_id', types.bigInteger, (column) => column.notNull())
    .addColumn('hour', types.keyText(13), (column) => column.notNull())
    .addColumn('success', counter.type, counter.define)
    .addColumn('failed', counter.type, counter.define)
    .addColumn('pending', counter.type, counter.define)
    .addColumn('last_success_at', types.keyText(MAX_TIME_CHARACTERS), (column) =>
      column.notNull().defaultTo(''),
    )
    .addPrimaryKeyConstraint('webhook_activity_key', ['webhook_id', 'hour']);
  await schema.createTable(db, types.clusterByKey(table));
}

/** Retries that wait already stand where they would have been, a minute earlier than those that come. */
async function standInLine<DB>(db: Kysely<DB>): Promise<void> {
  await tablesOf(db)
    .updateTable('webhook_deliveries')
    .set((delivery) => ({ turn_at: delivery.ref('next_attempt_at') }))
    .where('status', '=', PENDING)
    .execute();
}

async function countDeliveries<DB>(db: Kysely<DB>): Promise<void> {
  const tables = tablesOf(db);
  // Of an interrupted run, where it could not be rolled back.
  await tables.deleteFrom('webhook_activity').execute();
  const counted = (status: string) =>
    sql<number>`sum(case when status = ${sql.lit(status)} then 1 else 0 end)`;
  const hour = sql<string>`substr(created_at, 1, 13)`;
  const lastSuccess = sql<string>`coalesce(max(case when status = 'success' then completed_at end), '')`;
  for (const [label, groups, lastSuccessAt] of [
    [hour, ['webhook_id', hour], sql<string>`''`],
    [sql<string>`''`, ['webhook_id'], lastSuccess],
  ] as const) {
    await tables
      .insertInto('webhook_activity')
      .columns(['webhook_id', 'hour', 'success', 'failed', 'pending', 'last_success_at'])
      .expression(
        tables
          .selectFrom('webhook_deliveries')
          .select([
            'webhook_id',
            label.as('hour'),
            counted('success').as('success'),
            counted('failed').as('failed'),
            counted('pending').as('pending'),
            lastSuccessAt.as('last_success_at'),
          ])
          .groupBy(groups),
      )
      .execute();
  }
}

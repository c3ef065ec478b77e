import type { Kysely } from 'kysely';
import { dialectOf } from '../dialect-of.ts';
import type { ColumnTypes, NewColumn } from '../schema-dialect.ts';

/** A dispatch's id has 40. */
const MAX_ID_CHARACTERS = 64;

/** Keys that are there were brought by no dispatch that is still tried. Processes of an earlier version may run beside it. */
export async function nameDispatchesOfKeys<DB>(db: Kysely<DB>): Promise<void> {
  const { schema } = dialectOf(db);
  await schema.addColumn(db, 'webhook_idempotency_keys', dispatchId(await schema.columnTypes(db)));
}

export async function forgetDispatchesOfKeys<DB>(db: Kysely<DB>): Promise<void> {
  await db.schema.alterTable('webhook_idempotency_keys').dropColumn('dispatch_id').execute();
}

function dispatchId({ keyText }: ColumnTypes): NewColumn {
  return {
    name: 'dispatch_id',
    type: keyText(MAX_ID_CHARACTERS),
    define: (column) => column.notNull().defaultTo(''),
  };
}

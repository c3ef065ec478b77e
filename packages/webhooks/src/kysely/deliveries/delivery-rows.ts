import type { Selectable } from 'kysely';
import { DELIVERY_FIELDS, type DeliverySummary } from '../../storage/delivery-record.ts';
import { columnsOf } from '../../storage/field.ts';
import type { DeliveryTable, Tables } from '../tables.ts';
import { valuesOf } from '../values-of.ts';

/** The columns of a {@link DeliverySummary}. */
export const SUMMARY_COLUMNS = columnsOf(DELIVERY_FIELDS);

export type SummaryRow = Pick<Selectable<DeliveryTable>, (typeof SUMMARY_COLUMNS)[number]>;

/** The row counts every attempt; those that were deferred do not count. */
export function summaryOf(row: SummaryRow): DeliverySummary {
  const { attempts, ...summary } = valuesOf<DeliverySummary>(DELIVERY_FIELDS, row);
  return { ...summary, attempts: attempts - summary.deferrals };
}

/** The deliveries with these ids, in ascending order. */
export async function summariesOf(tables: Tables, ids: readonly number[]): Promise<DeliverySummary[]> {
  if (ids.length === 0) return [];
  const rows = await tables
    .selectFrom('webhook_deliveries')
    .select(SUMMARY_COLUMNS)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(summaryOf);
}

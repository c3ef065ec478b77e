import type { Selectable } from 'kysely';
import { DELIVERY_FIELDS, type DeliverySummary } from '../../storage/delivery-record.ts';
import { columnsOf } from '../../storage/field.ts';
import type { DeliveryTable } from '../tables.ts';
import { valuesOf } from '../values-of.ts';

/** The columns of a {@link DeliverySummary}. */
export const SUMMARY_COLUMNS = columnsOf(DELIVERY_FIELDS);

type SummaryRow = Pick<Selectable<DeliveryTable>, (typeof SUMMARY_COLUMNS)[number]>;

/** The row counts every attempt; those that were deferred do not count. */
export function summaryOf(row: SummaryRow): DeliverySummary {
  const { attempts, ...summary } = valuesOf<DeliverySummary>(DELIVERY_FIELDS, row);
  return { ...summary, attempts: attempts - summary.deferrals };
}

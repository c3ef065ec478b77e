import type { QueryClient } from '@tanstack/react-query';
import type { Delivery, DeliverySummary } from './records.ts';

/** A page of deliveries, of one webhook or of all. */
interface Rows {
  readonly deliveries: readonly DeliverySummary[];
}

/** The row of a delivery in any list that was read. */
export function rowOf(queries: QueryClient, deliveryId: string): DeliverySummary | undefined {
  return queries
    .getQueriesData<Rows>({ queryKey: ['deliveries'] })
    .flatMap(([, page]) => page?.deliveries ?? [])
    .find((row) => row.delivery_id === deliveryId);
}

/**
 * Brings the row of a delivery that was read up to date, in every list: it is never older. A list
 * that could not be read stays so, which data would end.
 */
export function patchRows(queries: QueryClient, delivery: Delivery): void {
  const { payload: _payload, request: _request, attempt_log: _log, ...summary } = delivery;
  const patched = (row: DeliverySummary) =>
    row.delivery_id === delivery.delivery_id ? { ...row, ...summary } : row;
  for (const { queryKey, state } of queries.getQueryCache().findAll({ queryKey: ['deliveries'] })) {
    if (state.error !== null) continue;
    queries.setQueryData<Rows>(
      queryKey,
      (page) => page && { ...page, deliveries: page.deliveries.map(patched) },
      { updatedAt: state.dataUpdatedAt },
    );
  }
}

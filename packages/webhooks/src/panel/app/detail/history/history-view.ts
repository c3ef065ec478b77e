import { timeOf } from '../../deliveries/deliveries-view.ts';
import { deliveryStatusOf } from '../../messages/webhook-text.ts';
import { useCursorPages } from '../../paging/cursor-pages.ts';
import { MAX_EVENT_LENGTH } from './event-filter.tsx';
import type { HistoryFilterValues } from './history-filters.tsx';

/** The page of a history that its section shows first. */
export const FIRST_PAGE = { status: '', event: '', from: '', to: '', cursor: '', limit: 20 } as const;

/** The filters and page of the history, as the address has them. */
export function useHistoryView() {
  const { parameters, narrow, ...pages } = useCursorPages();
  const filters: HistoryFilterValues = {
    status: deliveryStatusOf(parameters.get('status')),
    event: (parameters.get('event') ?? '').slice(0, MAX_EVENT_LENGTH),
    from: timeOf(parameters.get('from')),
    to: timeOf(parameters.get('to')),
  };
  return { ...pages, filters, narrow: (values: HistoryFilterValues) => narrow({ ...values }) };
}

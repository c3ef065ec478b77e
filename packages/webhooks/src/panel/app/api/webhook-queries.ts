import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi, useRead } from './api-context.ts';
import { ApiError } from './api-error.ts';
import type { ApiRequest } from './api-operation.ts';
import type { Delivery, DeliverySummary } from './records.ts';

/** The parameters of a list of webhooks. */
export type WebhookListQuery = NonNullable<ApiRequest<'GET', ''>['query']>;

export function useWebhookList(query: WebhookListQuery) {
  return useRead(
    'webhooks',
    '',
    { query },
    {
      placeholderData: keepPreviousData,
      meta: isByHealth(query) ? BY_RESULT : {},
    },
  );
}

/** Tells whether the result of a delivery may bring another webhook into a list. */
export function isByHealth({ health, sort }: WebhookListQuery): boolean {
  return Boolean(health) || sort === 'level';
}

export const NEVER_STALE_MS = 600_000;

/**
 * What is chosen by the results of deliveries is read again this often: the webhooks and deliveries
 * that have come to fit it are not on the page, so that no question for changes includes them.
 */
export const BY_RESULT = { maxAgeMs: 15_000 };

export function useKnownEvents() {
  return useRead(
    'events',
    '/events',
    {},
    {
      select: ({ events }) => events,
      staleTime: NEVER_STALE_MS,
    },
  );
}

export function useWebhook(id: number, enabled = true) {
  return useRead('webhook', '/{id}', { params: { id } }, { enabled });
}

/** Reads a delivery, of whichever webhook it is, and brings its row up to date. */
export function useDelivery(deliveryId: string) {
  const { request } = useApi();
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['delivery', deliveryId],
    queryFn: async ({ signal }) => {
      const query = { delivery_id: deliveryId };
      const row =
        rowOf(queries, deliveryId) ?? (await request('GET', '/deliveries', { query, signal })).deliveries[0];
      if (row === undefined) throw new ApiError(404, 'delivery_not_found');
      const params = { id: row.webhook_id, delivery_id: deliveryId };
      const delivery = await request('GET', '/{id}/deliveries/{delivery_id}', { params, signal });
      patchRows(queries, delivery);
      return delivery;
    },
  });
}

/** How many other webhooks an event went to, and how the deliveries ended. */
export function useSameEvent({ delivery_id: deliveryId, event, created_at: from }: Delivery) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['delivery', deliveryId, 'others'],
    queryFn: async ({ signal }) => {
      // Those of one dispatch are created at one time.
      const to = new Date(Date.parse(from) + 1).toISOString();
      const query = { event, from, to, limit: 100 };
      const { deliveries, next_cursor: next } = await request('GET', '/deliveries', { query, signal });
      // The first digits of an id name its dispatch.
      const others = deliveries.filter(
        ({ delivery_id: id }) => id !== deliveryId && id.slice(0, 24) === deliveryId.slice(0, 24),
      );
      const failed = others.filter(({ status }) => status === 'failed').length;
      return { from, to, count: others.length, failed, isWhole: next === null };
    },
  });
}

export function useExplanation(query: ApiRequest<'GET', '/explain'>['query']) {
  return useRead('webhooks', '/explain', { query }, { placeholderData: keepPreviousData });
}

export function useEventDescription(name: string, offset: number, limit: number) {
  return useRead(
    'events',
    '/events/{name}',
    { params: { name }, query: { offset, limit } },
    { placeholderData: (previous) => (previous?.name === name ? previous : undefined) },
  );
}

/** A page of deliveries, of one webhook or of all. */
interface Rows {
  readonly deliveries: readonly DeliverySummary[];
}

/** The row of a delivery in any list that was read. */
function rowOf(queries: QueryClient, deliveryId: string): DeliverySummary | undefined {
  return queries
    .getQueriesData<Rows>({ queryKey: ['deliveries'] })
    .flatMap(([, page]) => page?.deliveries ?? [])
    .find((row) => row.delivery_id === deliveryId);
}

/**
 * Brings the row of a delivery that was read up to date, in every list: it is never older. A list
 * that could not be read stays so, which data would end.
 */
function patchRows(queries: QueryClient, delivery: Delivery): void {
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

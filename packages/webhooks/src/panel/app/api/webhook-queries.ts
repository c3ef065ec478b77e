import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { ApiError } from './api-error.ts';
import type { ApiRequest } from './api-operation.ts';
import { patchRows, rowOf } from './delivery-rows.ts';
import type { Delivery } from './records.ts';

/** The parameters of a list of webhooks. */
export type WebhookListQuery = NonNullable<ApiRequest<'GET', ''>['query']>;

export function useWebhookList(query: WebhookListQuery) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['webhooks', 'list', query],
    queryFn: ({ signal }) => request('GET', '', { query, signal }),
    placeholderData: keepPreviousData,
    meta: isByHealth(query) ? BY_RESULT : {},
  });
}

/** Tells whether the result of a delivery may bring another webhook into a list. */
export function isByHealth({ health, sort }: WebhookListQuery): boolean {
  return Boolean(health) || sort === 'level';
}

const NEVER_STALE_MS = 600_000;

/**
 * What is chosen by the results of deliveries is read again this often: the webhooks and deliveries
 * that have come to fit it are not on the page, so that no question for changes includes them.
 */
const BY_RESULT = { maxAgeMs: 15_000 };

export function useKnownEvents() {
  const { request } = useApi();
  return useQuery({
    queryKey: ['events'],
    queryFn: ({ signal }) => request('GET', '/events', { signal }),
    select: ({ events }) => events,
    staleTime: NEVER_STALE_MS,
  });
}

export function useWebhook(id: number, isKnown = true) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['webhook', id, 'detail'],
    enabled: isKnown,
    queryFn: ({ signal }) => request('GET', '/{id}', { params: { id }, signal }),
  });
}

/** The parameters of a search for deliveries. */
export type DeliverySearchQuery = NonNullable<ApiRequest<'GET', '/deliveries'>['query']>;

/**
 * Every read computes the beginning of a range that ends now anew, because a page stays open. Null
 * reads nothing.
 */
export function useDeliverySearch(query: DeliverySearchQuery | null, recentMs: number | null) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['deliveries', 'search', query, recentMs],
    enabled: query !== null,
    queryFn: ({ signal }) => {
      const recent = recentMs === null ? {} : { from: new Date(Date.now() - recentMs).toISOString() };
      return request('GET', '/deliveries', { query: { ...query, ...recent }, signal });
    },
    placeholderData: keepPreviousData,
    meta: query !== null && isByResult(query) ? BY_RESULT : {},
  });
}

/** Tells whether a delivery may come to fit a search when it ends. */
export function isByResult({ status, error, status_code: code }: DeliverySearchQuery): boolean {
  return [status, error, code].some((filter) => filter !== undefined && filter !== '');
}

/** The parameters of a page of history. */
export type HistoryQuery = NonNullable<ApiRequest<'GET', '/{id}/deliveries'>['query']>;

export function useHistory(webhookId: number, query: HistoryQuery) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['deliveries', webhookId, query],
    queryFn: ({ signal }) => request('GET', '/{id}/deliveries', { params: { id: webhookId }, query, signal }),
    placeholderData: keepPreviousData,
  });
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

/**
 * Reads the activity by hour. Every read computes `from` anew, because a page stays open for days.
 */
export function useActivity(webhookId: number, range: string, from: () => Date) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['webhook', webhookId, 'activity', range],
    queryFn: ({ signal }) => {
      const query = { interval: 'hour', from: from().toISOString() } as const;
      return request('GET', '/{id}/activity', { params: { id: webhookId }, query, signal });
    },
    placeholderData: keepPreviousData,
  });
}

export function useExplanation(query: ApiRequest<'GET', '/explain'>['query']) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['webhooks', 'explain', query],
    queryFn: ({ signal }) => request('GET', '/explain', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useEventDescription(name: string, offset: number, limit: number) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['events', name, offset, limit],
    queryFn: ({ signal }) =>
      request('GET', '/events/{name}', { params: { name }, query: { offset, limit }, signal }),
    placeholderData: (previous) => (previous?.name === name ? previous : undefined),
  });
}

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from './api-context.ts';
import { isSessionEnded } from './api-error.ts';
import type { ApiRequest } from './api-operation.ts';
import type { DeliverySummary } from './records.ts';
import { refreshDelay } from './refresh-delay.ts';

/** The parameters of a list of webhooks. */
export type WebhookListQuery = NonNullable<ApiRequest<'GET', ''>['query']>;

export function useWebhookList(query: WebhookListQuery) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['webhooks', 'list', query],
    queryFn: ({ signal }) => request('GET', '', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const last = state.data?.webhooks.map((webhook) => webhook.last_delivery) ?? [];
      if (last.some((delivery) => delivery?.status === 'pending')) return SLOW_MS;
      return isByHealth(query) ? BY_RESULT_MS : false;
    },
  });
}

/** Tells whether the result of a delivery may bring another webhook into a list. */
export function isByHealth({ health, sort }: WebhookListQuery): boolean {
  return Boolean(health) || sort === 'level';
}

/** A list is refreshed less often than an open history. */
const SLOW_MS = 4_000;
const NEVER_STALE_MS = 600_000;

/**
 * What is chosen by the results of deliveries is read again this often: the webhooks and deliveries
 * that have come to fit it are not on the page, so that no question for changes includes them.
 */
const BY_RESULT_MS = 15_000;

/** While a page is visible, it asks this often whether anything has changed. */
const CHANGES_MS = 5_000;

/**
 * Reads everything on the page again once a webhook or a delivery of one has changed, for as long
 * as the page is visible. An open page does not keep a session alive, nor leave for the log-in
 * page.
 *
 * @param webhookIds whose deliveries count; null for new deliveries of all webhooks, without their
 *   ends. Webhooks that were added, changed or removed always count
 * @returns when that was last known to be current, as milliseconds since 1970, why it no longer is,
 *   after two failed checks, a function that reads it now, and when that was last called
 */
export function useCurrent(webhookIds: readonly number[] | null) {
  const { request } = useApi();
  const queries = useQueryClient();
  const webhooks = webhookIds?.join(',') ?? '';
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ['changes', webhooks],
    queryFn: ({ signal }) => request('GET', '/changes', { query: { webhooks }, signal, isBackground: true }),
    refetchInterval: CHANGES_MS,
    // It takes two failed checks to say so; but a session that has ended has ended.
    retry: (failures, problem) => failures < 1 && !isSessionEnded(problem),
    retryDelay: CHANGES_MS,
    // A page that is shown again asks at once.
    refetchOnWindowFocus: 'always',
    enabled: webhookIds === null || webhooks !== '',
  });
  const version = data === undefined ? undefined : `${webhooks} ${data.version}`;
  const seen = useRef(version);
  useEffect(() => {
    const previous = seen.current;
    seen.current = version;
    const isOfSamePage = previous?.startsWith(`${webhooks} `);
    if (version === undefined || !isOfSamePage || previous === version) return;
    void queries.invalidateQueries({ queryKey: ['webhooks'] });
    void queries.invalidateQueries({ queryKey: ['webhook'] });
  }, [queries, webhooks, version]);
  const [askedAt, setAskedAt] = useState(0);
  const refresh = async () => {
    setAskedAt(Date.now());
    await Promise.all([
      refetch(),
      queries.invalidateQueries({ queryKey: ['webhooks'] }),
      queries.invalidateQueries({ queryKey: ['webhook'] }),
    ]);
  };
  return { currentAt: dataUpdatedAt, error, askedAt, refresh };
}

export function useKnownEvents() {
  const { request } = useApi();
  return useQuery({
    queryKey: ['events'],
    queryFn: ({ signal }) => request('GET', '/events', { signal }),
    select: ({ events }) => events,
    staleTime: NEVER_STALE_MS,
  });
}

export function useWebhook(id: number) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['webhook', id, 'detail'],
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
    queryKey: ['webhooks', 'deliveries', query, recentMs],
    enabled: query !== null,
    queryFn: ({ signal }) => {
      const recent = recentMs === null ? {} : { from: new Date(Date.now() - recentMs).toISOString() };
      return request('GET', '/deliveries', { query: { ...query, ...recent }, signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const delay = refreshDelay(state.data?.deliveries ?? [], Date.now());
      return query !== null && isByResult(query) ? Math.min(delay || BY_RESULT_MS, BY_RESULT_MS) : delay;
    },
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
    queryKey: ['webhook', webhookId, 'history', query],
    queryFn: ({ signal }) => request('GET', '/{id}/deliveries', { params: { id: webhookId }, query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refreshDelay(state.data?.deliveries ?? [], Date.now()),
  });
}

export function useDelivery(webhookId: number, deliveryId: string) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['webhook', webhookId, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      request('GET', '/{id}/deliveries/{delivery_id}', {
        params: { id: webhookId, delivery_id: deliveryId },
        signal,
      }),
    refetchInterval: ({ state }) => refreshDelay(state.data ? [state.data] : [], Date.now()),
  });
}

/**
 * Reads the history again if a row differs from the details below it, so that the row is never
 * older.
 */
export function useHistoryRefresh(
  row: DeliverySummary | undefined,
  details: DeliverySummary | undefined,
): void {
  const queries = useQueryClient();
  const newerState = row && details && stateOf(row) !== stateOf(details) ? stateOf(details) : null;
  const webhookId = row?.webhook_id;
  useEffect(() => {
    if (newerState !== null) void queries.invalidateQueries({ queryKey: ['webhook', webhookId, 'history'] });
  }, [queries, webhookId, newerState]);
}

function stateOf({ status, attempts, completed_at: completedAt }: DeliverySummary): string {
  return `${status} ${attempts} ${completedAt}`;
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

import { keepPreviousData, type QueryMeta, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { firstHour } from '../deliveries/activity/activity-bars.ts';
import type { Matching } from '../selection/select-matching.tsx';
import { selectableDelivery } from '../selection/selections.tsx';
import { useApi } from './api-context.ts';
import type { ApiAnswer, ApiRequest } from './api-operation.ts';
import type { Activity } from './records.ts';
import { BY_RESULT } from './webhook-queries.ts';

/** The parameters of a search for deliveries. */
export type DeliverySearchQuery = NonNullable<ApiRequest<'GET', '/deliveries'>['query']>;

/** Where a part of a page begins, and how many rows it has at most. */
type Part = Pick<DeliverySearchQuery, 'cursor' | 'limit'>;

/** One page holds this many parts of 5,000 deliveries at most: the user says whether to go on. */
const MAX_PARTS = 100;
/** The most that one request answers. */
const MAX_ROWS = 100;

/** A page that took several reads is not read again whenever something happens. */
const PARTS_REST_MS = 600_000;
const OF_PARTS: QueryMeta = { restMs: PARTS_REST_MS, isLong: true };

/** The activity of all webhooks changes with each delivery: it is read again after a while. */
const OF_ALL: QueryMeta = { restMs: 15_000, maxAgeMs: 15_000 };

/** What has matched so far, and how it is read. */
export type DeliveryPages = ReturnType<typeof useDeliverySearch>;

/**
 * Tells whether a delivery may come to fit a search when it ends, untold: of one webhook it is
 * told.
 */
export function isByResult({ status, error, webhook_id: webhookId }: DeliverySearchQuery): boolean {
  return !webhookId && Boolean(status || error);
}

type ReadPage = ApiAnswer<'GET', '/deliveries'> & { readonly parts: number };

/**
 * A page of deliveries. Where the API has to stop before it is full, because little matches, it is
 * read on until it is, or until that is stopped: what was found is there at once. Null reads
 * nothing.
 *
 * @param hours of a range that ends now: every read computes its beginning anew, because a page
 *   stays open. Default: the times of the query
 */
export function useDeliverySearch(query: DeliverySearchQuery | null, hours: number | null = null) {
  const { request } = useApi();
  const queryKey = ['deliveries', 'search', query, hours];
  const queries = useQueryClient();
  const mustStop = useRef(false);
  const read = (part: Part, signal?: AbortSignal) => {
    const recent = hours === null ? {} : { from: firstHour(hours, new Date()).toISOString() };
    const search = { ...query, ...recent, ...part };
    return request('GET', '/deliveries', { query: search, ...(signal && { signal }) });
  };
  const known = queries.getQueryData<ReadPage>(queryKey);
  const isOfParts = known !== undefined && (known.parts > 1 || known.scanned_until !== null);
  const search = useQuery<ReadPage>({
    queryKey,
    enabled: query !== null,
    queryFn: async ({ signal }) => {
      mustStop.current = false;
      const isFirst = queries.getQueryData(queryKey) === undefined;
      const { limit = MAX_ROWS, ...beginning } = query ?? {};
      let [deliveries, { cursor = '' }]: [ReadPage['deliveries'], Part] = [[], beginning];
      for (let parts = 1; ; parts += 1) {
        const part = await read({ cursor, limit: Number(limit) - deliveries.length }, signal);
        deliveries = [...deliveries, ...part.deliveries];
        const page = { ...part, deliveries, parts };
        const isWhole = part.scanned_until === null || deliveries.length >= Number(limit);
        if (isWhole || part.next_cursor === null || mustStop.current || parts === MAX_PARTS) return page;
        if (isFirst) queries.setQueryData(queryKey, page);
        cursor = part.next_cursor;
      }
    },
    placeholderData: keepPreviousData,
    // Nor whenever the window is shown again.
    staleTime: isOfParts ? PARTS_REST_MS : 0,
    meta: isOfParts ? OF_PARTS : query !== null && isByResult(query) ? BY_RESULT : {},
  });
  const matching: Matching = {
    key: JSON.stringify({ ...query, hours, cursor: '' }),
    total: null,
    async read(cursor) {
      const { deliveries, next_cursor: next } = await read({ cursor, limit: MAX_ROWS });
      return { items: deliveries.map(selectableDelivery), next };
    },
  };
  return {
    search,
    matching,
    /** Ends the page with the part that is being read. */
    stop() {
      mustStop.current = true;
    },
  };
}

/**
 * Reads the activity by hour, of one webhook or, if that is null, of all. Every read computes its
 * beginning anew, because a page stays open for days.
 */
export function useActivity(webhookId: number | null, hours: number, tenant = '') {
  const { request } = useApi();
  return useQuery({
    queryKey: ['webhook', webhookId, 'activity', hours, tenant],
    queryFn: ({ signal }): Promise<Pick<Activity, 'activity'> & Partial<Pick<Activity, 'answers'>>> => {
      const query = { interval: 'hour', from: firstHour(hours, new Date()).toISOString() } as const;
      return webhookId === null
        ? request('GET', '/activity', { query: { ...query, tenant }, signal })
        : request('GET', '/{id}/activity', { params: { id: webhookId }, query, signal });
    },
    meta: webhookId === null ? OF_ALL : {},
  });
}

import {
  keepPreviousData,
  notifyManager,
  type Query,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import type { ApiClient } from './api-client.ts';
import { useApi } from './api-context.ts';
import { isSessionEnded } from './api-error.ts';
import { refreshDelay } from './refresh-delay.ts';

/** While a page is visible, it asks this often whether anything has changed. */
const CHANGES_MS = 5_000;
/** It asks this often while an attempt of a delivery on the page is due. */
const SOON_MS = 2_000;

/** What deliveries change. Each kind is the first part of a query's key. */
const LIVE = ['webhooks', 'webhook', 'deliveries', 'delivery'];

/** Reads everything on the page again, once the user has changed something. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ predicate: isLive });
}

/**
 * A change that the user makes. Everything on the page is read again after it, and after a failure,
 * as it may have succeeded although its answer was lost.
 *
 * @param hasSecret whether its answer has a secret: that is shown at once, and kept no longer
 */
export function useChange<Answer, Sent = void>(
  change: (request: ApiClient, sent: Sent) => Promise<Answer>,
  { hasSecret = false } = {},
) {
  const { request } = useApi();
  const refresh = useRefresh();
  const refreshLater = () => void refresh();
  return useMutation({
    mutationFn: (sent: Sent) => change(request, sent),
    onSuccess: hasSecret ? refreshLater : refresh,
    onError: refreshLater,
    ...(hasSecret && { gcTime: 0 }),
  });
}

function isLive({ queryKey: [kind] }: Query): boolean {
  return LIVE.some((live) => live === kind);
}

/**
 * The one refresh of a page, for as long as it is visible: asks whether a webhook or a delivery of
 * one has changed, and reads the page again if so. Attempts that change nothing else are not told:
 * what shows a delivery whose attempt was due is read again as well. An open page does not keep a
 * session alive, nor leave for the log-in page.
 *
 * @param watched whose deliveries count: the ids of webhooks, or null for new deliveries of all
 *   webhooks, without their ends. Webhooks that were added, changed or removed always count
 * @returns when the page was last known to be current, as milliseconds since 1970, why it no longer
 *   is, after two failed checks, a function that reads it now, and when that was last called
 */
export function useCurrent(...watched: readonly (readonly number[] | null)[]) {
  const { request } = useApi();
  const queries = useQueryClient();
  const asked = watched.filter((ids) => ids?.length !== 0).map((ids) => ids?.join(',') ?? '');
  const queryKey = ['changes', ...asked];
  const due = useSyncExternalStore(
    (notify) => queries.getQueryCache().subscribe(notifyManager.batchCalls(notify)),
    () => Math.min(...liveQueries(queries).map(dueAt)),
  );
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<{ readonly version: string }>(queryKey);
      const answers = await Promise.all(
        asked.map((webhooks) =>
          request('GET', '/changes', { query: { webhooks }, signal, isBackground: true }),
        ),
      );
      const version = answers.map((answer) => answer.version).join(' ');
      const at = Date.now();
      const isChanged = before !== undefined && before.version !== version;
      if (isChanged) void queries.invalidateQueries({ predicate: isResting, refetchType: 'none' });
      const predicate = (query: Query) =>
        isLive(query) && ((isChanged && !isResting(query)) || dueAt(query) <= at);
      void queries.invalidateQueries({ predicate });
      return { version, at };
    },
    placeholderData: keepPreviousData,
    refetchInterval: () => Math.min(Math.max(due - Date.now(), SOON_MS), CHANGES_MS),
    // It takes two failed checks to say so; but a session that has ended has ended.
    retry: (failures, problem) => failures < 1 && !isSessionEnded(problem),
    retryDelay: CHANGES_MS,
    // A page that is shown again asks at once.
    refetchOnWindowFocus: 'always',
  });
  const [askedAt, setAskedAt] = useState(0);
  const refreshAll = useRefresh();
  const refresh = async () => {
    setAskedAt(Date.now());
    await Promise.all([refetch(), refreshAll()]);
  };
  return { currentAt: data?.at ?? 0, error, askedAt, refresh };
}

/**
 * Whether a change is told to a query only when what it has read is `restMs` old. One that is being
 * read begins anew, unless that takes long: its answer may be from before the change.
 */
function isResting({ meta, state }: Query): boolean {
  return Boolean(meta?.restMs && (state.fetchStatus === 'idle' || meta.isLong));
}

function liveQueries(queries: QueryClient): Query[] {
  return queries.getQueryCache().findAll({ type: 'active', predicate: isLive });
}

/** When a query is to be read again although no change was told, as milliseconds since 1970. */
function dueAt({ state, meta }: Query): number {
  const { data, dataUpdatedAt, errorUpdatedAt, isInvalidated } = state;
  const readAt = Math.max(dataUpdatedAt, errorUpdatedAt);
  if (meta?.restMs) return readAt + Number((isInvalidated ? meta.restMs : meta.maxAgeMs) ?? Infinity);
  return readAt + Math.min(refreshDelay(shownIn(data), readAt), Number(meta?.maxAgeMs ?? Infinity));
}

type Shown = Parameters<typeof refreshDelay>[0];

/** The deliveries in what a query has read. */
function shownIn(data: unknown): Shown {
  if (typeof data !== 'object' || data === null) return [];
  if ('deliveries' in data) return data.deliveries as Shown;
  return 'next_attempt_at' in data ? [data as Shown[number]] : [];
}

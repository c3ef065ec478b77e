import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from './api-context.ts';
import { ApiError } from './api-error.ts';
import { useRefresh } from './refresh.ts';
import { useStoppable } from './stoppable.ts';

/** What can be done with several webhooks, or deliveries, at once. */
export type SelectionAction = 'pause' | 'activate' | 'delete' | 'redeliver';

/** What became of one of them, or would: `done`, `unchanged` or the code of a problem. */
export interface SelectionOutcome {
  readonly key: string;
  readonly outcome: string;
}

/** How many the API takes at once. */
const CHUNK = 100;

/**
 * The dry run of an action on a selection, which begins at once and again after a failure of the
 * action, and the action itself: each by as many requests as it takes.
 */
export function useSelectionAction(action: SelectionAction, keys: readonly string[]) {
  const { request } = useApi();
  const refresh = useRefresh();
  const queries = useQueryClient();
  const queryKey = ['selection', action, keys];
  const [progress, setProgress] = useState(0);
  const { mustStop, isStopping, begin, stop } = useStoppable();

  async function run(chunk: readonly string[], isDryRun: boolean): Promise<readonly SelectionOutcome[]> {
    if (action === 'redeliver') {
      const body = { deliveries: chunk, dry_run: isDryRun };
      const { results } = await request('POST', '/deliveries/redeliver', { body });
      return results.map(({ delivery_id: key, outcome }) => ({ key, outcome }));
    }
    const body = { action, webhooks: chunk.map(Number), dry_run: isDryRun };
    const { results } = await request('POST', '/bulk', { body });
    return results.map(({ webhook_id: id, outcome }) => ({ key: String(id), outcome }));
  }
  async function runAll(isDryRun: boolean): Promise<readonly SelectionOutcome[]> {
    const outcomes: SelectionOutcome[] = [];
    for (let from = 0; from < keys.length && !mustStop.current; from += CHUNK) {
      setProgress(from);
      const chunk = keys.slice(from, from + CHUNK);
      try {
        outcomes.push(...(await run(chunk, isDryRun)));
      } catch (error) {
        // What was done before is told, and not done again; of the others, why not.
        if (isDryRun || from === 0 || !(error instanceof ApiError)) throw error;
        const { code: outcome } = error;
        outcomes.push(...chunk.map((key) => ({ key, outcome })));
        break;
      }
    }
    const rest = keys.slice(outcomes.length);
    return [...outcomes, ...rest.map((key) => ({ key, outcome: 'not_reached' }))];
  }
  const check = useQuery({
    queryKey,
    queryFn: () => runAll(true),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const act = useMutation({
    mutationFn: () => runAll(false),
    onMutate: begin,
    // Some may have been done before the error, so that what was counted is no longer true.
    onError() {
      begin();
      void queries.resetQueries({ queryKey });
    },
    onSettled: () => void refresh(),
  });

  return {
    check,
    act,
    /** How many of them the current one has done with. */
    progress,
    isStopping,
    stop,
  };
}

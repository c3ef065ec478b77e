import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { useRefresh } from './webhook-actions.ts';

/** What can be done with several webhooks, or deliveries, at once. */
export type SelectionAction = 'pause' | 'activate' | 'delete' | 'redeliver';

/** What became of one of them, or would: `done`, `unchanged` or the code of a problem. */
export interface SelectionOutcome {
  readonly key: string;
  readonly outcome: string;
}

/**
 * The dry run of an action on a selection, which begins at once and again after a failure of the
 * action, and the action itself.
 */
export function useSelectionAction(action: SelectionAction, keys: readonly string[]) {
  const { request } = useApi();
  const refresh = useRefresh();
  const queries = useQueryClient();
  const queryKey = ['selection', action, keys];
  async function run(isDryRun: boolean): Promise<readonly SelectionOutcome[]> {
    if (action === 'redeliver') {
      const body = { deliveries: keys, dry_run: isDryRun };
      const { results } = await request('POST', '/deliveries/redeliver', { body });
      return results.map(({ delivery_id: key, outcome }) => ({ key, outcome }));
    }
    const body = { action, webhooks: keys.map(Number), dry_run: isDryRun };
    const { results } = await request('POST', '/bulk', { body });
    return results.map(({ webhook_id: id, outcome }) => ({ key: String(id), outcome }));
  }
  const check = useQuery({
    queryKey,
    queryFn: () => run(true),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const act = useMutation({
    mutationFn: () => run(false),
    // Some may have been done before the error, so that what was counted is no longer true.
    onError: () => void queries.resetQueries({ queryKey }),
    onSettled: () => void refresh(),
  });
  return { check, act };
}

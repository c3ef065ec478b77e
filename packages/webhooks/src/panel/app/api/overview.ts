import { useMutation } from '@tanstack/react-query';
import { useApi, useRead } from './api-context.ts';
import type { DeliveryProblem, DeliverySummary } from './records.ts';

/**
 * A busy engine changes at every check: the overview is then read again after a while, and also
 * where nothing on the page has changed, as it is of all webhooks.
 */
const READ_AGAIN = { restMs: 15_000, maxAgeMs: 30_000 };

export function useOverview() {
  return useRead('webhooks', '/overview', {}, { meta: READ_AGAIN });
}

const MAX_PAGES = 10;

/** Reads the failed deliveries of a problem, among the newest 1,000 that failed since it began. */
export function useFailedOf({ webhook_id: id, error, since }: DeliveryProblem) {
  const { request } = useApi();
  return useMutation({
    mutationFn: async () => {
      const found: DeliverySummary[] = [];
      let cursor = '';
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const query = { status: 'failed', from: since, limit: 100, cursor } as const;
        const answer = await request('GET', '/{id}/deliveries', { params: { id }, query });
        found.push(...answer.deliveries.filter((one) => one.error === error && !one.is_test));
        if (answer.next_cursor === null) break;
        cursor = answer.next_cursor;
      }
      return found;
    },
  });
}

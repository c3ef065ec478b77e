import { useMutation } from '@tanstack/react-query';
import { useApi, useRead } from './api-context.ts';
import type { DeliveryProblem } from './records.ts';

/**
 * A busy engine changes at every check: the overview is then read again after a while, and also
 * where nothing on the page has changed, as it is of all webhooks.
 */
const READ_AGAIN = { restMs: 15_000, maxAgeMs: 30_000 };

export function useOverview() {
  return useRead('webhooks', '/overview', {}, { meta: READ_AGAIN });
}

/** Reads the failed deliveries of a problem. */
export function useFailedOf(problem: DeliveryProblem) {
  const { request } = useApi();
  return useMutation({
    mutationFn: async () => (await import('./failed-of.ts')).readFailedOf(request, problem),
  });
}

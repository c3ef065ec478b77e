import type { ApiClient } from './api-client.ts';
import type { ApiAnswer } from './api-operation.ts';
import type { DeliveryProblem, FoundDelivery } from './records.ts';

/** As many as one dialog sends again. */
const MAX_FOUND = 1_000;
/** The API searches up to 5,000 failed deliveries, of whatever cause, for each. */
const MAX_READS = 100;

/** What failed for the reason of a problem since it began. */
export interface FailedOf {
  /** The newest 1,000, without tests. */
  readonly newest: readonly FoundDelivery[];
  /** Whether there may be others. */
  readonly hasOlder: boolean;
}

/** Searches for what failed for the reason of a problem since it began. */
export async function readFailedOf(request: ApiClient, problem: DeliveryProblem): Promise<FailedOf> {
  const { webhook_id, error, since: from } = problem;
  const search = { webhook_id, status: 'failed', error, from, limit: 100 } as const;
  const found: FoundDelivery[] = [];
  let cursor: string | null = '';
  for (let reads = 0; cursor !== null && found.length <= MAX_FOUND && reads < MAX_READS; reads += 1) {
    const query = { ...search, cursor };
    const page: ApiAnswer<'GET', '/deliveries'> = await request('GET', '/deliveries', { query });
    found.push(...page.deliveries.filter((one) => !one.is_test));
    cursor = page.next_cursor;
  }
  return { newest: found.slice(0, MAX_FOUND), hasOlder: cursor !== null || found.length > MAX_FOUND };
}

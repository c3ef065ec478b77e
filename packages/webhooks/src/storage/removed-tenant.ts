import { WebhookError } from '../errors.ts';

/**
 * How long a removed tenant is closed: longer than a registration takes that had begun before, in
 * whatever process.
 */
export const TENANT_CLOSED_MS = 60_000;

/** What `createWebhook` rejects with while the tenant is closed. */
export function tenantRemoved(): WebhookError {
  return new WebhookError('rate_limited', 'The tenant was removed a moment ago', {
    retryAfterMs: TENANT_CLOSED_MS,
  });
}

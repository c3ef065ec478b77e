import { type FieldError, WebhookError } from '../errors.ts';
import { type EventCatalog, isForTenants } from '../events/catalog.ts';
import type { TenantBounds } from './tenant-bounds.ts';

/** What a tenant's webhook may subscribe to. */
interface SubscriptionRules {
  /** Default: none besides the built-in ones. */
  readonly events?: EventCatalog | undefined;
  readonly tenantBounds: Pick<TenantBounds, 'maxTenantPatternsPerWebhook'>;
}

/**
 * Refuses names of events that are not for tenants, and more patterns than a tenant's webhook may
 * have. A customer learns nothing of those events: they are refused as unknown ones are. Patterns
 * with a wildcard are accepted, and match none of them.
 *
 * @throws WebhookError `validation_failed`
 */
export function assertSubscribable(
  { events = {}, tenantBounds }: SubscriptionRules,
  tenant: string,
  patterns: readonly string[] = [],
): void {
  if (tenant === '') return;
  const max = tenantBounds.maxTenantPatternsPerWebhook(tenant);
  if (patterns.length > max) {
    const message = `must have at most ${max} patterns`;
    throw refused([{ field: 'events', code: 'too_big', message, max }]);
  }
  const errors = patterns.flatMap((pattern, index) => {
    if (pattern.endsWith('*') || isForTenants(events, pattern)) return [];
    const message = 'must be an event of the catalog';
    return [{ field: `events[${index}]`, code: 'unknown_event', message }];
  });
  if (errors.length === 0) return;
  throw refused(errors);
}

function refused(errors: readonly FieldError[]): WebhookError {
  return new WebhookError('validation_failed', 'The input has fields that are not valid', { errors });
}

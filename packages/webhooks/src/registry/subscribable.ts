import { type FieldError, WebhookError } from '../errors.ts';
import { type EventCatalog, isForTenants } from '../events/catalog.ts';

/** What a customer's dispatches cost grows with them; `prefix.*` names many events in one. */
const MAX_TENANT_PATTERNS = 20;

/**
 * Refuses names of events that are not for tenants, and more patterns than a tenant's webhook may
 * have. A customer learns nothing of those events: they are refused as unknown ones are. Patterns
 * with a wildcard are accepted, and match none of them.
 *
 * @throws WebhookError `validation_failed`
 */
export function assertSubscribable(
  events: EventCatalog = {},
  tenant: string,
  patterns: readonly string[] = [],
): void {
  if (tenant === '') return;
  if (patterns.length > MAX_TENANT_PATTERNS) {
    const message = `must have at most ${MAX_TENANT_PATTERNS} patterns`;
    throw refused([{ field: 'events', code: 'too_big', message, max: MAX_TENANT_PATTERNS }]);
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

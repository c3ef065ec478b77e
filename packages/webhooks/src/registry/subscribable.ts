import { WebhookError } from '../errors.ts';
import { type EventCatalog, isForTenants } from '../events/catalog.ts';

/**
 * Refuses names of events that are not for tenants. A customer learns nothing of them: they are
 * refused as unknown ones are. Patterns with a wildcard are accepted, and match none of them.
 *
 * @throws WebhookError `validation_failed`
 */
export function assertSubscribable(
  events: EventCatalog = {},
  tenant: string,
  patterns: readonly string[] = [],
): void {
  if (tenant === '') return;
  const errors = patterns.flatMap((pattern, index) => {
    if (pattern.endsWith('*') || isForTenants(events, pattern)) return [];
    const message = 'must be an event of the catalog';
    return [{ field: `events[${index}]`, code: 'unknown_event', message }];
  });
  if (errors.length === 0) return;
  throw new WebhookError('validation_failed', 'The input has fields that are not valid', { errors });
}

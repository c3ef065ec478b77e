import type { WebhookHealth } from './records.ts';

/**
 * True if the last delivery that ended failed. Of two that ended in one millisecond, the success
 * counts as the later.
 */
export function isFailing({
  lastSuccessAt,
  lastFailureAt,
}: Pick<WebhookHealth, 'lastSuccessAt' | 'lastFailureAt'>): boolean {
  return (lastFailureAt ?? '') > (lastSuccessAt ?? '');
}

import { timestampText } from '../clock.ts';

/**
 * When a webhook counts as changed: now, and at least a millisecond after its last change. So no two states of a
 * webhook have the same `updatedAt`, whatever the clocks of the processes do.
 */
export function nextUpdatedAt(before: string, now: string): string {
  return before < now ? now : timestampText(Date.parse(before) + 1);
}

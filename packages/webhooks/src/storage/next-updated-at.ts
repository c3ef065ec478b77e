import { timestampText } from '../clock.ts';

/**
 * The `updatedAt` of a webhook's next state: now, and at least a millisecond after the last one. So
 * no two states of a webhook have the same `updatedAt`, whatever the clocks of the processes do.
 */
export function nextUpdatedAt(before: string, now: string): string {
  return before < now ? now : timestampText(Date.parse(before) + 1);
}

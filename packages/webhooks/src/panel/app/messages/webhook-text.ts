import type { DeliveryStatus, Webhook, WebhookDetail } from '../api/records.ts';

export const STATUS_LABELS: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'Pending',
  success: 'Success',
  failed: 'Failed',
};

/** Why a webhook is paused, and what the administrator can do; null while it is active. */
export function pauseReason(webhook: Pick<Webhook, 'is_active' | 'inactive_reason'>): string | null {
  if (webhook.is_active) return null;
  if (webhook.inactive_reason === 'gone') {
    return 'It was paused automatically: the recipient answered 410, “gone for good”. Check the URL before you activate it.';
  }
  if (webhook.inactive_reason === 'failing') {
    return 'It was paused automatically: too many deliveries in a row failed. Find the reason in the history below, then activate it and recover the failed deliveries.';
  }
  return 'It receives no events. Events that happen while it is paused are not kept for it.';
}

/** What the engine does, or is about to do, about a recipient that fails or is slow. */
export function troubleTexts({
  is_active: isActive,
  failure_streak: { failures, limit },
  concurrency,
}: Pick<WebhookDetail, 'is_active' | 'failure_streak' | 'concurrency'>): string[] {
  if (!isActive) return [];
  const texts: string[] = [];
  if (limit !== null && failures > 0 && failures * 2 >= limit) {
    texts.push(
      `${countOf(failures, 'delivery', 'deliveries')} in a row failed. At ${limit.toLocaleString()} the webhook is paused automatically.`,
    );
  }
  if (concurrency?.is_slow) {
    const { limit: slots, max } = concurrency;
    texts.push(
      `Its last attempts timed out or took longer than two seconds, so that it gets ${slots.toLocaleString()} of ${countOf(max, 'attempt')} at once.`,
    );
  }
  return texts;
}

/** `1 pattern`, `3 patterns`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? noun : plural}`;
}

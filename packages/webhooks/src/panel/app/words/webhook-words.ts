import type { DeliveryStatus, Webhook } from '../api/records.ts';

export const STATUS_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'Pending',
  success: 'Success',
  failed: 'Failed',
};

/** Why a webhook receives nothing, and what to do; null while it is active. */
export function pausedWords(webhook: Pick<Webhook, 'is_active' | 'inactive_reason'>): string | null {
  if (webhook.is_active) return null;
  if (webhook.inactive_reason === 'gone') {
    return 'It was paused by itself: the recipient answered 410, “gone for good”. Check the URL before you activate it.';
  }
  if (webhook.inactive_reason === 'failing') {
    return 'It was paused by itself: too many deliveries in a row failed. Find out why in the history below, then activate it and recover what failed.';
  }
  return 'It receives no events. Events that happen meanwhile are not kept for it.';
}

/** `1 pattern`, `3 patterns`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? noun : plural}`;
}

import { TROUBLE_TEXTS } from '../../texts/trouble-texts.ts';
import type { DeliveryStatus, Webhook, WebhookDetail } from '../api/records.ts';
import { isKeyOf } from '../key-of.ts';
import { fill, hostTexts } from '../texts/host-texts.ts';
import { timeText, untilText } from '../ui/instant.tsx';
import { uiTexts } from '../ui/ui-texts.ts';

const troubleSentences = hostTexts('trouble', TROUBLE_TEXTS);

export const STATUS_LABELS: Readonly<Record<DeliveryStatus, string>> = {
  pending: uiTexts.statusPending,
  success: uiTexts.statusSuccess,
  failed: uiTexts.statusFailed,
};

/** The status of a delivery of that name, such as one of the address; '' for any other text. */
export function deliveryStatusOf(text: string | null): DeliveryStatus | '' {
  return text !== null && isKeyOf(STATUS_LABELS, text) ? text : '';
}

/** Why a webhook is paused, and what the administrator can do; null while it is active. */
export function pauseReason(webhook: Pick<Webhook, 'is_active' | 'inactive_reason'>): string | null {
  if (webhook.is_active) return null;
  if (webhook.inactive_reason === 'gone') return troubleSentences.pausedGone;
  return webhook.inactive_reason === 'failing' ? troubleSentences.pausedFailing : troubleSentences.paused;
}

/** What the engine does, or is about to do, about a recipient that fails or is slow. */
export function troubleTexts({
  is_active: isActive,
  health: { down_since: downSince, busy_since: busySince },
  disables_at: disablesAt,
  concurrency,
  busy_until: busyUntil,
}: Pick<WebhookDetail, 'is_active' | 'health' | 'disables_at' | 'concurrency' | 'busy_until'>): string[] {
  if (!isActive) return [];
  const texts: string[] = [];
  if (downSince !== null) {
    texts.push(fill(troubleSentences.down, { time: timeText(downSince) }));
  }
  if (disablesAt !== null) {
    texts.push(fill(troubleSentences.disables, { time: untilText(disablesAt, Date.now()) }));
  }
  if (busySince !== null) {
    texts.push(fill(troubleSentences.busySince, { time: timeText(busySince) }));
  }
  if (busyUntil !== null && Date.parse(busyUntil) > Date.now()) {
    texts.push(fill(troubleSentences.busy, { time: untilText(busyUntil, Date.now()) }));
  }
  if (concurrency?.is_slow) {
    const { limit: slots, max } = concurrency;
    texts.push(fill(troubleSentences.slow, { slots, count: max }));
  }
  return texts;
}

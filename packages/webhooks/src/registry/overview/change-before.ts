import { timestampText } from '../../clock.ts';
import type { Webhook } from '../../storage/webhook-record.ts';
import { SECRET_OVERLAP_MS } from '../webhook-registry.ts';
import type { WebhookChanged } from './overview-records.ts';

const DAY_MS = 86_400_000;

/**
 * The last change that may have brought about what failed first: of the day before it was created,
 * or while it was tried. A webhook knows its last change alone.
 */
export function changeBefore(
  webhook: Webhook,
  { from, until }: { readonly from: string; readonly until: string },
): WebhookChanged | null {
  const earliest = timestampText(Date.parse(from) - DAY_MS);
  const changes = changesOf(webhook)
    .filter(({ at }) => at >= earliest && at <= until)
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  return changes[0] ?? null;
}

function changesOf(webhook: Webhook): WebhookChanged[] {
  const { createdAt, updatedAt, inactiveSince, previousSecretExpiresAt: endsAt } = webhook;
  const changes: WebhookChanged[] = [{ what: 'created', at: createdAt }];
  if (endsAt !== null) {
    const rotatedAt = timestampText(Date.parse(endsAt) - SECRET_OVERLAP_MS);
    changes.push({ what: 'rotated', at: rotatedAt }, { what: 'secret_ended', at: endsAt });
    // The storage may keep a rotation as later than it was.
    if (Date.parse(updatedAt) - Date.parse(rotatedAt) < 1_000) return changes;
  }
  if (updatedAt !== createdAt && updatedAt !== inactiveSince) changes.push({ what: 'edited', at: updatedAt });
  return changes;
}

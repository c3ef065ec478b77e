import { timestampText } from '../clock.ts';
import { settingsOf, type Webhook } from './webhook-record.ts';
import type { ExpectedState, WebhookChange } from './webhook-requests.ts';

/** A webhook with what a storage keeps of it besides. */
export interface WebhookState {
  readonly webhook: Webhook;
  readonly secret: string;
  readonly previousSecret: { readonly secret: string; readonly expiresAt: string } | null;
  /** Grows when the webhook is activated after it was inactive, or given another URL. */
  readonly activation: number;
}

/** What a change makes of a webhook's state; undefined if it expects another one. */
export function changing(change: WebhookChange): (before: WebhookState) => WebhookState | undefined {
  return (before) => changedState(before, change);
}

function changedState(before: WebhookState, change: WebhookChange): WebhookState | undefined {
  const { webhook } = before;
  if (!isAsExpected(before, change.expected)) return undefined;
  const settings = settingsOf(change);
  const { url = webhook.url, isActive = webhook.isActive } = settings;
  const { inactiveReason = webhook.inactiveReason } = change;
  const updatedAt = nextUpdatedAt(webhook.updatedAt, change.updatedAt);
  const inactiveSince = webhook.isActive ? updatedAt : webhook.inactiveSince;
  const beginsAnew = url !== webhook.url || (isActive && !webhook.isActive);
  const previousSecret = previousSecretAfter(before, change);
  return {
    webhook: {
      ...webhook,
      ...settings,
      inactiveReason: isActive ? '' : inactiveReason,
      inactiveSince: isActive ? null : inactiveSince,
      previousSecretExpiresAt: previousSecret?.expiresAt ?? null,
      updatedAt,
    },
    secret: change.rotation?.secret ?? before.secret,
    previousSecret,
    activation: before.activation + (beginsAnew ? 1 : 0),
  };
}

function isAsExpected({ webhook, activation }: WebhookState, expected: ExpectedState = {}): boolean {
  if ((expected.updatedAt ?? webhook.updatedAt) !== webhook.updatedAt) return false;
  return expected.activation === undefined || (webhook.isActive && activation === expected.activation);
}

function previousSecretAfter({ secret, previousSecret }: WebhookState, change: WebhookChange) {
  if (change.previousSecret === null) return null;
  const { rotation } = change;
  return rotation === undefined ? previousSecret : { secret, expiresAt: rotation.previousSecretExpiresAt };
}

/**
 * Now, and at least a millisecond after the last change. Therefore no two states of a webhook have
 * the same `updatedAt`, even if the clocks of processes differ.
 */
function nextUpdatedAt(before: string, now: string): string {
  return before < now ? now : timestampText(Date.parse(before) + 1);
}

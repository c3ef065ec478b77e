import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconPlayerPause, IconX } from '@tabler/icons-react';
import type { DeliveryStatus, Webhook, WebhookHealth } from '../api/records.ts';
import { STATUS_LABELS } from '../messages/webhook-text.ts';
import { uiTexts } from './ui-texts.ts';

const STYLES = {
  pending: { color: 'yellow', icon: <IconClock size={12} stroke={2.5} /> },
  success: { color: 'teal', icon: <IconCheck size={12} stroke={3} /> },
  failed: { color: 'red', icon: <IconX size={12} stroke={3} /> },
} as const;

/** The status of a delivery as colour, icon and text. */
export function StatusBadge({ status }: { readonly status: DeliveryStatus }) {
  const { color, icon } = STYLES[status];
  return (
    <Badge color={color} leftSection={icon}>
      {STATUS_LABELS[status]}
    </Badge>
  );
}

interface ActiveBadgeProps {
  readonly webhook: Pick<Webhook, 'is_active' | 'inactive_reason'>;
  /** Default: healthy. */
  readonly health?: Pick<WebhookHealth, 'level' | 'is_recovering'>;
}

const HEALTHY = { level: 'healthy', is_recovering: false } as const;

const HEALTH_STYLES = {
  down: { color: 'red', icon: <IconX size={12} stroke={3} /> },
  degraded: { color: 'yellow', icon: <IconAlertTriangle size={12} /> },
  recovering: { color: 'indigo', icon: <IconClock size={12} stroke={2.5} /> },
} as const;

/** Whether a webhook receives events, whether those arrive, and whether it was paused by itself. */
export function ActiveBadge({ webhook, health = HEALTHY }: ActiveBadgeProps) {
  const { is_active: isActive, inactive_reason: reason } = webhook;
  const state = health.level !== 'down' && health.is_recovering ? 'recovering' : health.level;
  if (isActive && state !== 'healthy') {
    const { color, icon } = HEALTH_STYLES[state];
    return (
      <Badge color={color} leftSection={icon}>
        {uiTexts[state]}
      </Badge>
    );
  }
  if (!isActive && reason !== '') {
    return (
      <Badge color="yellow" leftSection={<IconAlertTriangle size={12} />}>
        {uiTexts.autoPaused}
      </Badge>
    );
  }
  return isActive ? (
    <Badge color="teal" leftSection={<IconCheck size={12} stroke={3} />}>
      {uiTexts.active}
    </Badge>
  ) : (
    <Badge color="gray" leftSection={<IconPlayerPause size={12} />}>
      {uiTexts.paused}
    </Badge>
  );
}

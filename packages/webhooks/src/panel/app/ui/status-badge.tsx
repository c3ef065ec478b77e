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
  readonly level?: WebhookHealth['level'];
}

/** Whether a webhook receives events, whether those arrive, and whether it was paused by itself. */
export function ActiveBadge({ webhook, level = 'healthy' }: ActiveBadgeProps) {
  const { is_active: isActive, inactive_reason: reason } = webhook;
  if (isActive && level !== 'healthy') {
    const [color, icon] =
      level === 'down'
        ? ['red', <IconX key="down" size={12} stroke={3} />]
        : ['orange', <IconAlertTriangle key="degraded" size={12} />];
    return (
      <Badge color={color} leftSection={icon}>
        {uiTexts[level]}
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

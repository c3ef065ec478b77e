import { Badge, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconPlayerPause, IconX } from '@tabler/icons-react';
import type { DeliveryStatus, ListedWebhook, WebhookHealth } from '../api/records.ts';
import { STATUS_LABELS } from '../messages/webhook-text.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { fill, numberText } from '../texts/host-texts.ts';
import { locale } from '../texts/locale.ts';
import { Instant } from './instant.tsx';
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

/** Down, so that a rate below 100 % never looks like it. */
const RATE = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 1,
  roundingMode: 'floor',
});

/** `99.9%`; '' for no rate. */
export function rateText({ success_rate: rate }: Pick<WebhookHealth, 'success_rate'>): string {
  return rate === null ? '' : RATE.format(rate);
}

/** How far the API counts pending deliveries: one more stands for any larger number. */
const MAX_PENDING = 100_000;

/** How many wait. A count beyond the bound is written as a lower bound: `100,000+`. */
export function pendingText(count: number): string {
  return count > MAX_PENDING ? `${numberText(count - 1)}+` : numberText(count);
}

const HEALTH_STYLES = {
  healthy: { color: 'teal', icon: <IconCheck size={12} stroke={3} /> },
  down: { color: 'red', icon: <IconX size={12} stroke={3} /> },
  degraded: { color: 'yellow', icon: <IconAlertTriangle size={12} /> },
  recovering: { color: 'indigo', icon: <IconClock size={12} stroke={2.5} /> },
} as const;

interface WebhookStatusProps {
  readonly webhook: Pick<ListedWebhook, 'is_active' | 'inactive_reason' | 'health'>;
}

/** How the deliveries of a webhook end, and, quietly, whether it is paused and by whom. */
export function WebhookStatus({ webhook }: WebhookStatusProps) {
  const { is_active: isActive, inactive_reason: reason, health } = webhook;
  const { level, down_since: downSince } = health;
  const state = level !== 'down' && health.is_recovering ? 'recovering' : level;
  const { color, icon } = HEALTH_STYLES[state];
  const label =
    state === 'degraded' ? fill(uiTexts.degradedShare, { share: rateText(health) }) : uiTexts[state];
  return (
    <Group gap="2px 8px">
      {(isActive || state !== 'healthy') && (
        <Badge color={color} leftSection={icon}>
          {label}
        </Badge>
      )}
      {isActive && downSince !== null && (
        <Text size="xs" c="dimmed" component="span">
          {fillNodes(uiTexts.since, { time: <Instant at={downSince} /> })}
        </Text>
      )}
      {!isActive && (
        <Text size="xs" fw={600} c="dimmed" component="span">
          <IconPlayerPause size={12} /> {reason === '' ? uiTexts.paused : uiTexts.autoPaused}
        </Text>
      )}
    </Group>
  );
}

import { Badge } from '@mantine/core';
import { IconCheck, IconClock, IconPlayerPause, IconX } from '@tabler/icons-react';
import type { DeliveryStatus } from '../api/records.ts';
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
    <Badge color={color} variant="light" leftSection={icon} className="badge">
      {STATUS_LABELS[status]}
    </Badge>
  );
}

interface ActiveBadgeProps {
  readonly isActive: boolean;
  /** Whether its last delivery that ended failed. Default: false. */
  readonly isFailing?: boolean;
}

/** Whether a webhook receives events, and whether those arrive. */
export function ActiveBadge({ isActive, isFailing = false }: ActiveBadgeProps) {
  if (isActive && isFailing) {
    return (
      <Badge color="red" variant="light" leftSection={<IconX size={12} stroke={3} />} className="badge">
        {uiTexts.failing}
      </Badge>
    );
  }
  return isActive ? (
    <Badge color="teal" variant="light" leftSection={<IconCheck size={12} stroke={3} />} className="badge">
      {uiTexts.active}
    </Badge>
  ) : (
    <Badge color="gray" variant="light" leftSection={<IconPlayerPause size={12} />} className="badge">
      {uiTexts.paused}
    </Badge>
  );
}

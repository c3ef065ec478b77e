import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { LastDelivery } from '../api/records.ts';
import { Instant } from '../ui/instant.tsx';
import { ActiveBadge, StatusBadge } from '../ui/status-badge.tsx';
import { WebhookUrl } from '../ui/webhook-url.tsx';
import { HealthBar } from './health-bar.tsx';
import { PatternCount } from './pattern-count.tsx';
import { RowActions, type RowActionsProps } from './row-actions.tsx';

/** One webhook of the list, on one line. */
export function WebhookRow({ webhook, onEdit, onDelete }: RowActionsProps) {
  const { id, url, description } = webhook;
  return (
    <tr>
      <td className="cell-url">
        <div className="webhook-name">
          <Anchor component={Link} href={`/${id}`} fw={600} size="sm" aria-label={url} title={url}>
            <WebhookUrl url={url} />
          </Anchor>
          {description !== '' && (
            <Text size="sm" c="dimmed" truncate title={description}>
              {description}
            </Text>
          )}
        </div>
      </td>
      <td data-label="Events">
        <PatternCount patterns={webhook.events} url={url} />
      </td>
      <td data-label="Status">
        <ActiveBadge isActive={webhook.is_active} isFailing={webhook.health.is_failing} />
      </td>
      <td data-label="Last 24 h">
        <HealthBar health={webhook.health} />
      </td>
      <td data-label="Last delivery">
        <LastDeliveryText last={webhook.last_delivery} />
      </td>
      <td className="cell-actions">
        <RowActions webhook={webhook} onEdit={onEdit} onDelete={onDelete} />
      </td>
    </tr>
  );
}

function LastDeliveryText({ last }: { readonly last: LastDelivery | null }) {
  if (last === null) {
    return (
      <Text size="sm" c="dimmed">
        None yet
      </Text>
    );
  }
  return (
    <div className="last-delivery">
      <StatusBadge status={last.status} />
      <Text size="sm" c="dimmed" truncate title={last.event}>
        <Instant at={last.created_at} />, {last.event}
      </Text>
    </div>
  );
}

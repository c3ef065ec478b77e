import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { LastDelivery, ListedWebhook } from '../api/records.ts';
import { useTestWebhook, useUpdateWebhook } from '../api/webhook-actions.ts';
import { problemMessage } from '../messages/problem-message.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { Instant } from '../ui/instant.tsx';
import { ActiveBadge, StatusBadge } from '../ui/status-badge.tsx';
import { PatternCount } from './pattern-count.tsx';

interface WebhookRowProps {
  readonly webhook: ListedWebhook;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

/** One webhook of the list. */
export function WebhookRow({ webhook, onEdit, onDelete }: WebhookRowProps) {
  const { id, url, description, is_active: isActive } = webhook;
  return (
    <Table.Tr>
      <Table.Td className="cell-url">
        <Anchor component={Link} href={`/${id}`} fw={600} className="long-text webhook-link" title={url}>
          {url}
        </Anchor>
        {description !== '' && (
          <Text size="sm" c="dimmed" className="long-text" lineClamp={2}>
            {description}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Events">
        <PatternCount patterns={webhook.events} url={url} />
      </Table.Td>
      <Table.Td data-label="Status">
        <ActiveBadge isActive={isActive} />
      </Table.Td>
      <Table.Td data-label="Last delivery">
        <LastDeliveryText last={webhook.last_delivery} />
      </Table.Td>
      <Table.Td className="cell-actions">
        <RowActions webhook={webhook} onEdit={onEdit} onDelete={onDelete} />
      </Table.Td>
    </Table.Tr>
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
      <Text size="sm" c="dimmed" className="long-text">
        {last.event}, <Instant at={last.created_at} />
      </Text>
    </div>
  );
}

function RowActions({ webhook, onEdit, onDelete }: WebhookRowProps) {
  const { id, url, is_active: isActive } = webhook;
  const announce = useAnnounce();
  const update = useUpdateWebhook(id);
  const test = useTestWebhook(id);
  const fail = (error: Error) => announce({ kind: 'bad', text: problemMessage(error) });

  function toggle(): void {
    const state = isActive ? 'is paused and receives no events' : 'is active';
    const onSuccess = () => announce({ kind: 'good', text: `${url} ${state}.` });
    update.mutate({ is_active: !isActive }, { onSuccess, onError: fail });
  }

  function sendTest(): void {
    const onSuccess = () =>
      announce({
        kind: 'good',
        text: `A test event is on its way to ${url}. The result appears under “Last delivery”.`,
      });
    test.mutate(undefined, { onSuccess, onError: fail });
  }

  return (
    <Group gap={6} wrap="nowrap" className="row-actions">
      <Button
        {...ACTION}
        leftSection={<IconSend size={14} />}
        aria-label={`Send test event to ${url}`}
        loading={test.isPending}
        onClick={sendTest}
      >
        Test
      </Button>
      <Button
        {...ACTION}
        leftSection={isActive ? <IconPlayerPause size={14} /> : <IconPlayerPlay size={14} />}
        aria-label={`${isActive ? 'Pause' : 'Activate'} ${url}`}
        loading={update.isPending}
        onClick={toggle}
      >
        {isActive ? 'Pause' : 'Activate'}
      </Button>
      <Button {...ACTION} leftSection={<IconPencil size={14} />} aria-label={`Edit ${url}`} onClick={onEdit}>
        Edit
      </Button>
      <Button
        {...ACTION}
        leftSection={<IconTrash size={14} />}
        className="danger"
        aria-label={`Delete ${url}`}
        onClick={onDelete}
      >
        Delete
      </Button>
    </Group>
  );
}

const ACTION = { variant: 'default', size: 'compact-sm' } as const;

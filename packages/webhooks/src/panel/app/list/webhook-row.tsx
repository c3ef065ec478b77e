import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useApi } from '../api/api-context.ts';
import type { LastDelivery } from '../api/records.ts';
import { SelectCell } from '../selection/select-boxes.tsx';
import type { Selectable, Selection } from '../selection/selections.tsx';
import { visibleText } from '../ui/hidden-characters.ts';
import { Instant } from '../ui/instant.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { StatusBadge, WebhookStatus } from '../ui/status-badge.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { WebhookUrl } from '../ui/webhook-url.tsx';
import { HealthBar } from './health-bar.tsx';
import { listTexts } from './list-texts.ts';
import { PatternCount } from './pattern-count.tsx';
import { RowActions, type RowActionsProps } from './row-actions.tsx';

// The reasons are many texts, which most lists have no use for.
const FailureTitle = lazyComponent(
  async () => (await import('./later-parts.ts')).FailureTitle,
  <Text size="xs">{'\u00a0'}</Text>,
);

interface WebhookRowProps extends RowActionsProps {
  readonly selection: Selection;
}

/** A webhook as a selection names it. */
export function selectableOf({ id, url }: { readonly id: number; readonly url: string }): Selectable {
  return { key: String(id), name: url };
}

/** One webhook of the list, on two lines. */
export function WebhookRow({ webhook, selection, onEdit, onDelete }: WebhookRowProps) {
  const { id, tenant, url, name, description } = webhook;
  const { isReadOnly } = useApi();
  return (
    <tr>
      <SelectCell selection={selection} item={selectableOf(webhook)} />
      <td>
        <Anchor
          component={Link}
          href={`/${id}`}
          fw={600}
          size="sm"
          aria-label={name || url}
          title={name || url}
        >
          {name === '' ? <WebhookUrl url={url} /> : <VisibleText text={name} />}
        </Anchor>
        <div className="webhook-beside">
          {tenant !== undefined && (
            <span className="webhook-tenant" title={visibleText(tenant)}>
              <VisibleText text={tenant} />
            </span>
          )}
          {name !== '' && (
            <span className="webhook-place" title={url}>
              <WebhookUrl url={url} />
            </span>
          )}
          {description !== '' && (
            <span className="webhook-about" title={visibleText(description)}>
              <VisibleText text={description} />
            </span>
          )}
        </div>
      </td>
      <td data-label={listTexts.events}>
        <PatternCount patterns={webhook.events} url={url} />
      </td>
      <td data-label={listTexts.status}>
        <WebhookStatus webhook={webhook} />
      </td>
      <td data-label={listTexts.lastDay}>
        <HealthBar health={webhook.health} />
      </td>
      <td data-label={listTexts.lastDelivery}>
        <LastDeliveryText last={webhook.last_delivery} />
      </td>
      {!isReadOnly && (
        <td className="cell-actions">
          <RowActions webhook={webhook} onEdit={onEdit} onDelete={onDelete} />
        </td>
      )}
    </tr>
  );
}

function LastDeliveryText({ last }: { readonly last: LastDelivery | null }) {
  if (last === null) {
    return (
      <Text size="sm" c="dimmed">
        {listTexts.noneYet}
      </Text>
    );
  }
  return (
    <Stack gap={2} maw="100%" title={last.event}>
      <Group gap="xs" wrap="nowrap">
        <StatusBadge status={last.status} />
        <Text size="sm" c="dimmed" component="span">
          <Instant at={last.created_at} />
        </Text>
      </Group>
      {last.error === '' ? (
        <Text size="xs" className="event-name" truncate title={last.event}>
          {last.event}
        </Text>
      ) : (
        <FailureTitle code={last.error} />
      )}
    </Stack>
  );
}

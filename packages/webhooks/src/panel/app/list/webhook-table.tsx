import { Group, Stack, Text } from '@mantine/core';
import { useApi } from '../api/api-context.ts';
import type { LastDelivery, ListedWebhook, WebhookHealth } from '../api/records.ts';
import type { Selectable, Selection } from '../selection/selections.tsx';
import { type Column, DataTable, RowLink } from '../table/data-table.tsx';
import { fill } from '../texts/host-texts.ts';
import { visibleText } from '../ui/hidden-characters.ts';
import { Instant } from '../ui/instant.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { seriesGround } from '../ui/series-ground.ts';
import { rateText, StatusBadge, WebhookStatus } from '../ui/status-badge.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { WebhookUrl } from '../ui/webhook-url.tsx';
import type { ListState } from './list-state.ts';
import { listTexts } from './list-texts.ts';
import { RowActions } from './row-actions.tsx';

// The reasons are many texts, which most lists have no use for.
const FailureTitle = lazyComponent(
  async () => (await import('./later-parts.ts')).FailureTitle,
  <Text size="xs">{'\u00a0'}</Text>,
);
// What opens over the page brings 10 kB, which no first sight of it needs.
const PatternCount = lazyComponent(
  async () => (await import('./pattern-count.tsx')).PatternCount,
  <Text size="sm">{'\u00a0'}</Text>,
);

interface WebhookTableProps {
  readonly list: ListState;
  readonly selection: Selection;
  readonly webhooks: readonly ListedWebhook[];
  readonly isLoading: boolean;
  readonly isStale: boolean;
  readonly onEdit: (webhook: ListedWebhook) => void;
  readonly onDelete: (webhook: ListedWebhook) => void;
}

/** A webhook as a selection names it. */
export function selectableWebhook({ id, url }: ListedWebhook): Selectable {
  return { key: String(id), name: url };
}

/** The webhooks of a page. */
export function WebhookTable({ list, webhooks, onEdit, onDelete, ...table }: WebhookTableProps) {
  const { isReadOnly } = useApi();
  const actions: Column<ListedWebhook> = {
    label: listTexts.actions,
    width: 122,
    narrow: 'aside',
    cell: (webhook) => <RowActions webhook={webhook} onEdit={onEdit} onDelete={onDelete} />,
  };
  const columns: Column<ListedWebhook>[] = [
    {
      label: listTexts.webhook,
      narrow: 'main',
      sort: list.sortBy('url', 'url-desc'),
      cell: (webhook) => <WebhookName webhook={webhook} />,
    },
    {
      label: listTexts.events,
      width: 96,
      isExtra: true,
      cell: ({ events, url }) => <PatternCount patterns={events} url={url} />,
    },
    {
      label: listTexts.status,
      width: 140,
      narrow: 'below',
      sort: list.sortBy('down'),
      cell: (webhook) => <WebhookStatus webhook={webhook} />,
    },
    {
      label: listTexts.lastDay,
      width: 120,
      isExtra: true,
      cell: ({ health }) => <HealthBar health={health} />,
    },
    {
      label: listTexts.lastDelivery,
      // A status and a time of another day fit side by side, where that leaves a name 220 px.
      width: 'max(min(228px, 100cqi - 740px), 196px, 20cqi)',
      narrow: 'end',
      cell: ({ last_delivery: last }) => <LastDeliveryText last={last} />,
    },
    ...(isReadOnly ? [] : [actions]),
  ];
  return (
    <DataTable
      {...table}
      label={listTexts.title}
      columns={columns}
      rows={webhooks}
      itemOf={selectableWebhook}
    />
  );
}

/** The name of a webhook, and on a second line what else there is to tell it from others. */
function WebhookName({
  webhook: { id, tenant, url, name, description },
}: {
  readonly webhook: ListedWebhook;
}) {
  return (
    <>
      <RowLink href={`/${id}`} name={name || url}>
        {name === '' ? <WebhookUrl url={url} /> : <VisibleText text={name} />}
      </RowLink>
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
    </>
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
      <Group gap="2px 8px">
        <span className="where-wide">
          <StatusBadge status={last.status} />
        </span>
        <Text size="sm" c="dimmed" component="span">
          <Instant at={last.created_at} />
        </Text>
      </Group>
      <div className="where-wide">
        {last.error === '' ? (
          <Text size="xs" className="event-name" truncate title={last.event}>
            {last.event}
          </Text>
        ) : (
          <FailureTitle code={last.error} />
        )}
      </div>
    </Stack>
  );
}

/** The success rate of the last 24 hours, as a number and a bar. */
function HealthBar({ health }: { readonly health: WebhookHealth }) {
  const { success, failed, success_rate: rate } = health;
  if (rate === null) {
    return (
      <Text component="span" size="sm" c="dimmed">
        {listTexts.noResult}
      </Text>
    );
  }
  const counts = fill(listTexts.health, { success, failed });
  return (
    <Group component="span" gap="xs" wrap="nowrap" title={counts}>
      <span className="health-bar" aria-hidden="true">
        {success > 0 && <span className="series" style={{ flexGrow: success, ...seriesGround('success') }} />}
        {failed > 0 && <span className="series" style={{ flexGrow: failed, ...seriesGround('failed') }} />}
      </span>
      {rateText(health)}
    </Group>
  );
}

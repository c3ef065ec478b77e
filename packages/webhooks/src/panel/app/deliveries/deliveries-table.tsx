import { Anchor, Group, Paper, Skeleton, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { FoundDelivery } from '../api/records.ts';
import { resultText } from '../detail/history/delivery-result.ts';
import { historyTexts } from '../detail/history/history-texts.ts';
import { TestBadge } from '../detail/history/test-badge.tsx';
import { SelectCell } from '../selection/select-boxes.tsx';
import { type Selection, selectableDelivery } from '../selection/selections.tsx';
import { columnCount, TableHead } from '../selection/table-head.tsx';
import { Instant } from '../ui/instant.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { WebhookUrl } from '../ui/webhook-url.tsx';
import { deliveriesTexts } from './deliveries-texts.ts';

interface DeliveriesTableProps {
  readonly selection: Selection;
  readonly deliveries: readonly FoundDelivery[];
  readonly isLoading: boolean;
  /** True while the previous page is still shown. */
  readonly isStale: boolean;
}

const COLUMNS = [
  { label: historyTexts.event },
  { label: deliveriesTexts.webhook },
  { label: historyTexts.status, width: 104 },
  { label: historyTexts.result },
  { label: historyTexts.created, width: 150 },
];
const LOADING_ROWS = Array.from({ length: 20 }, (_, row) => row);

/** One page of the deliveries. On a narrow screen each row is a card. */
export function DeliveriesTable({ selection, deliveries, isLoading, isStale }: DeliveriesTableProps) {
  return (
    <Paper withBorder className="frame">
      <table
        className="table webhook-table"
        aria-label={deliveriesTexts.title}
        aria-busy={isLoading || isStale}
      >
        <TableHead selection={selection} items={deliveries.map(selectableDelivery)} columns={COLUMNS} />
        <tbody>
          {isLoading &&
            LOADING_ROWS.map((row) => (
              <tr key={row}>
                <td colSpan={columnCount(selection, COLUMNS)}>
                  <Skeleton className="row-loading" />
                </td>
              </tr>
            ))}
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.delivery_id} selection={selection} delivery={delivery} />
          ))}
        </tbody>
      </table>
    </Paper>
  );
}

interface DeliveryRowProps {
  readonly selection: Selection;
  readonly delivery: FoundDelivery;
}

/** One delivery, on one line, which leads to its details. */
function DeliveryRow({ selection, delivery }: DeliveryRowProps) {
  const { delivery_id: deliveryId, webhook_id: webhookId, webhook_url: url, event } = delivery;
  const result = resultText(delivery);
  return (
    <tr>
      <SelectCell selection={selection} item={selectableDelivery(delivery)} />
      <td>
        <Group gap="xs" wrap="nowrap" maw="100%">
          <Anchor
            component={Link}
            href={`/${webhookId}?delivery=${deliveryId}`}
            fw={600}
            size="sm"
            truncate
            display="block"
            title={event}
          >
            {event}
          </Anchor>
          {delivery.is_test && <TestBadge />}
        </Group>
      </td>
      <td data-label={deliveriesTexts.webhook} title={url ?? ''}>
        {url !== null && <WebhookUrl url={url} />}
      </td>
      <td data-label={historyTexts.status}>
        <StatusBadge status={delivery.status} />
      </td>
      <td data-label={historyTexts.result}>
        <Text size="sm" truncate maw="100%" title={result}>
          {result}
        </Text>
      </td>
      <td data-label={historyTexts.created}>
        <Instant at={delivery.created_at} />
      </td>
    </tr>
  );
}

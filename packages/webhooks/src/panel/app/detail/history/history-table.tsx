import { Badge, Box, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, useEffect, useId, useRef } from 'react';
import type { DeliverySummary, WebhookDetail } from '../../api/records.ts';
import { catalogTexts } from '../../catalog/catalog-texts.ts';
import { SelectRow } from '../../selection/select-boxes.tsx';
import { type Selection, selectableDelivery } from '../../selection/selections.tsx';
import { TableHead } from '../../selection/table-head.tsx';
import { numberText } from '../../texts/host-texts.ts';
import { Instant } from '../../ui/instant.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { DeliveryDetails } from '../delivery/delivery-details.tsx';
import { useOpenDelivery } from '../delivery/open-delivery.ts';
import { resultText } from './delivery-result.ts';
import { historyTexts } from './history-texts.ts';

interface HistoryTableProps {
  readonly webhook: WebhookDetail;
  readonly selection: Selection;
  readonly deliveries: readonly DeliverySummary[];
}

const COLUMNS = [
  { label: historyTexts.event },
  { label: historyTexts.status },
  { label: historyTexts.result },
  { label: historyTexts.attempts },
  { label: historyTexts.created },
];

/** One page of the history. A row opens to show the details of its delivery. */
export function HistoryTable({ webhook, selection, deliveries }: HistoryTableProps) {
  return (
    <table className="table history-table" aria-label={historyTexts.title}>
      <TableHead selection={selection} items={deliveries.map(selectableDelivery)} columns={COLUMNS} />
      <tbody>
        {deliveries.map((delivery) => (
          <HistoryRow
            key={delivery.delivery_id}
            webhook={webhook}
            selection={selection}
            delivery={delivery}
          />
        ))}
      </tbody>
    </table>
  );
}

interface HistoryRowProps {
  readonly webhook: WebhookDetail;
  readonly selection: Selection;
  readonly delivery: DeliverySummary;
}

function HistoryRow({ webhook, selection, delivery }: HistoryRowProps) {
  const { openId, open, close } = useOpenDelivery();
  const detailsId = useId();
  const { delivery_id: deliveryId, event, status, attempts } = delivery;
  const isOpen = openId === deliveryId;
  const row = useRef<HTMLTableRowElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // A row that a test event or a link opened may be out of view.
  useEffect(() => {
    const { top = 0 } = row.current?.getBoundingClientRect() ?? {};
    if (isOpen && (top < 0 || top > innerHeight * 0.7)) row.current?.scrollIntoView();
  }, [isOpen]);
  return (
    <Fragment>
      <tr ref={row} data-open={isOpen || undefined}>
        <td className="cell-select">
          <SelectRow selection={selection} item={selectableDelivery(delivery)} />
        </td>
        <td>
          <Group gap="xs">
            <UnstyledButton
              ref={opener}
              className="row-opener"
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailsId : undefined}
              onClick={() => (isOpen ? close() : open(deliveryId))}
            >
              {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
              <Box component="span" className="event-name" c="inherit">
                {event}
              </Box>
            </UnstyledButton>
            {delivery.is_test && (
              <Badge size="xs" variant="outline" color="gray">
                {catalogTexts.isTest}
              </Badge>
            )}
          </Group>
        </td>
        <td>
          <StatusBadge status={status} />
        </td>
        <td className="cell-result">
          <Text size="sm" className="long-text">
            {resultText(delivery)}
          </Text>
        </td>
        <td className="cell-attempts" data-label={historyTexts.attempts}>
          {numberText(attempts)}
        </td>
        <td className="cell-created">
          <Instant at={delivery.created_at} />
        </td>
      </tr>
      {isOpen && (
        <tr className="details-row">
          <td colSpan={1 + COLUMNS.length} id={detailsId}>
            <DeliveryDetails
              webhook={webhook}
              deliveryId={deliveryId}
              summary={delivery}
              onClose={() => {
                opener.current?.focus();
                close();
              }}
            />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

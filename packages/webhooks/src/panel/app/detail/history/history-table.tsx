import { Box, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, useId, useRef } from 'react';
import type { DeliverySummary, WebhookDetail } from '../../api/records.ts';
import { SelectCell } from '../../selection/select-boxes.tsx';
import { type Selection, selectableDelivery } from '../../selection/selections.tsx';
import { columnCount, TableHead } from '../../selection/table-head.tsx';
import { numberText } from '../../texts/host-texts.ts';
import { Instant } from '../../ui/instant.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { DeliveryDetails } from '../delivery/delivery-details.tsx';
import { useOpenDelivery } from '../delivery/open-delivery.ts';
import { resultText } from './delivery-result.ts';
import { historyTexts } from './history-texts.ts';
import { type Revealed, useReveal } from './revealed-delivery.ts';
import { TestBadge } from './test-badge.tsx';

interface HistoryTableProps {
  readonly webhook: WebhookDetail;
  readonly selection: Selection;
  readonly deliveries: readonly DeliverySummary[];
  readonly revealed: Revealed;
}

const COLUMNS = [
  { label: historyTexts.event },
  { label: historyTexts.status },
  { label: historyTexts.result },
  { label: historyTexts.attempts },
  { label: historyTexts.created },
];

/** One page of the history. A row opens to show the details of its delivery. */
export function HistoryTable({ webhook, selection, deliveries, revealed }: HistoryTableProps) {
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
            revealed={revealed}
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
  readonly revealed: Revealed;
}

function HistoryRow({ webhook, selection, delivery, revealed }: HistoryRowProps) {
  const { openId, open, close } = useOpenDelivery();
  const detailsId = useId();
  const { delivery_id: deliveryId, event, status, attempts } = delivery;
  const isOpen = openId === deliveryId;
  const row = useRef<HTMLTableRowElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useReveal(revealed, { id: isOpen ? deliveryId : null, place: 'row', shown: row, target: opener });
  return (
    <Fragment>
      <tr ref={row} data-open={isOpen || undefined}>
        <SelectCell selection={selection} item={selectableDelivery(delivery)} />
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
            {delivery.is_test && <TestBadge />}
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
          <td colSpan={columnCount(selection, COLUMNS)} id={detailsId}>
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

import { Table, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, useEffect, useId, useRef } from 'react';
import type { DeliverySummary, WebhookDetail } from '../../api/records.ts';
import { failureMessage } from '../../messages/failure-message.ts';
import { Instant, untilText } from '../../ui/instant.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { DeliveryDetails } from '../delivery/delivery-details.tsx';
import { useOpenDelivery } from '../delivery/open-delivery.ts';

interface HistoryTableProps {
  readonly webhook: WebhookDetail;
  readonly deliveries: readonly DeliverySummary[];
}

const COLUMNS = ['Event', 'Status', 'Result', 'Attempts', 'Created'];

/** One page of the history. A row opens to show the details of its delivery. */
export function HistoryTable({ webhook, deliveries }: HistoryTableProps) {
  return (
    <Table className="history-table" verticalSpacing="xs" aria-label="Delivery history">
      <Table.Thead>
        <Table.Tr>
          {COLUMNS.map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {deliveries.map((delivery) => (
          <HistoryRow key={delivery.delivery_id} webhook={webhook} delivery={delivery} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface HistoryRowProps {
  readonly webhook: WebhookDetail;
  readonly delivery: DeliverySummary;
}

function HistoryRow({ webhook, delivery }: HistoryRowProps) {
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
      <Table.Tr ref={row} data-open={isOpen || undefined}>
        <Table.Td className="cell-event">
          <UnstyledButton
            ref={opener}
            className="row-opener"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={() => (isOpen ? close() : open(deliveryId))}
          >
            {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
            <span className="event-name long-text">{event}</span>
          </UnstyledButton>
        </Table.Td>
        <Table.Td data-label="Status">
          <StatusBadge status={status} />
        </Table.Td>
        <Table.Td data-label="Result">
          <Text size="sm" className="long-text">
            {resultText(delivery)}
          </Text>
        </Table.Td>
        <Table.Td data-label="Attempts">{attempts}</Table.Td>
        <Table.Td data-label="Created">
          <Instant at={delivery.created_at} />
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr className="details-row">
          <Table.Td colSpan={COLUMNS.length} id={detailsId}>
            <DeliveryDetails
              webhook={webhook}
              deliveryId={deliveryId}
              summary={delivery}
              onClose={() => {
                opener.current?.focus();
                close();
              }}
            />
          </Table.Td>
        </Table.Tr>
      )}
    </Fragment>
  );
}

function resultText({ status, error, status_code: code, next_attempt_at: next }: DeliverySummary): string {
  if (status === 'success') return `HTTP ${code}`;
  const failure = error === '' ? 'Not sent yet' : failureMessage(error).title;
  if (status === 'failed' || next === null) return failure;
  return `${failure}, next attempt ${untilText(next, Date.now())}`;
}

import { Text, UnstyledButton } from '@mantine/core';
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
    <table className="table history-table" aria-label="Delivery history">
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <HistoryRow key={delivery.delivery_id} webhook={webhook} delivery={delivery} />
        ))}
      </tbody>
    </table>
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
      <tr ref={row} data-open={isOpen || undefined}>
        <td className="cell-event">
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
        </td>
        <td data-label="Status">
          <StatusBadge status={status} />
        </td>
        <td data-label="Result">
          <Text size="sm" className="long-text">
            {resultText(delivery)}
          </Text>
        </td>
        <td data-label="Attempts">{attempts}</td>
        <td data-label="Created">
          <Instant at={delivery.created_at} />
        </td>
      </tr>
      {isOpen && (
        <tr className="details-row">
          <td colSpan={COLUMNS.length} id={detailsId}>
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

function resultText({ status, error, status_code: code, next_attempt_at: next }: DeliverySummary): string {
  if (status === 'success') return `HTTP ${code}`;
  const failure = error === '' ? 'Not sent yet' : failureMessage(error).title;
  if (status === 'failed' || next === null) return failure;
  return `${failure}, next attempt ${untilText(next, Date.now())}`;
}

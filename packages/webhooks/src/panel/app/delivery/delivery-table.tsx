import { Group, Text } from '@mantine/core';
import type { DeliverySummary, FoundDelivery } from '../api/records.ts';
import { deliveriesTexts } from '../deliveries/deliveries-texts.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { type Selection, selectableDelivery } from '../selection/selections.tsx';
import { type Column, DataTable, RowLink } from '../table/data-table.tsx';
import { fill, numberText } from '../texts/host-texts.ts';
import { Instant, untilText } from '../ui/instant.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { WebhookUrl } from '../ui/webhook-url.tsx';
import { historyTexts } from './delivery-texts.ts';
import { useOpenDelivery } from './open-delivery.ts';
import { TestBadge } from './test-badge.tsx';

type Row = DeliverySummary | FoundDelivery;

interface DeliveryTableProps {
  readonly label: string;
  readonly selection: Selection;
  readonly deliveries: readonly Row[];
  /** Whether they are of several webhooks. */
  readonly isAcross: boolean;
  /** How many rows are expected, while none is there. */
  readonly loadingRows: number;
  /** True while the previous page is still shown. */
  readonly isStale: boolean;
}

/** One page of deliveries. Each row is a link that opens its delivery over the page. */
export function DeliveryTable(props: DeliveryTableProps) {
  const { isAcross, deliveries, loadingRows, ...table } = props;
  const { openId, linkTo } = useOpenDelivery();
  const event: Column<Row> = {
    label: historyTexts.event,
    narrow: 'main',
    cell: ({ delivery_id: deliveryId, event: name, is_test: isTest }) => (
      <Group gap="xs" wrap="nowrap" maw="100%">
        <RowLink {...linkTo(deliveryId)} name={name}>
          <Text inherit component="span" display="block" truncate>
            {name}
          </Text>
        </RowLink>
        {isTest && <TestBadge />}
      </Group>
    ),
  };
  return (
    <DataTable
      {...table}
      columns={
        isAcross
          ? [event, WEBHOOK, STATUS, resultColumn('line'), ...TIMES]
          : [event, STATUS, resultColumn('below'), ...TIMES]
      }
      rows={deliveries}
      itemOf={selectableDelivery}
      isLoading={loadingRows > 0}
      loadingRows={loadingRows}
      rowHeight={25}
      openKey={openId}
    />
  );
}

const WEBHOOK: Column<Row> = {
  label: deliveriesTexts.webhook,
  narrow: 'below',
  cell: (row) => 'webhook_url' in row && row.webhook_url !== null && <WebhookUrl url={row.webhook_url} />,
};

const STATUS: Column<Row> = {
  label: historyTexts.status,
  width: 104,
  narrow: 'aside',
  cell: ({ status }) => <StatusBadge status={status} />,
};

const resultColumn = (narrow: 'line' | 'below'): Column<Row> => ({
  label: historyTexts.result,
  narrow,
  cell: (row) => (
    <Text size="sm" className="delivery-result" truncate title={resultText(row)}>
      {resultText(row)}
    </Text>
  ),
});

const TIMES: readonly Column<Row>[] = [
  {
    label: historyTexts.created,
    width: 150,
    narrow: 'end',
    cell: ({ created_at: createdAt }) => <Instant at={createdAt} />,
  },
  { label: historyTexts.attempts, width: 84, isExtra: true, cell: ({ attempts }) => numberText(attempts) },
];

/** What the last attempt of a delivery resulted in, and when the next one is due. */
function resultText({
  status,
  error,
  attempts,
  status_code: code,
  next_attempt_at: next,
}: DeliverySummary): string {
  if (status === 'success') return fill(historyTexts.http, { status: String(code) });
  // An attempt counts from its start.
  if (error === '' && attempts > 0) return historyTexts.underWay;
  const failure = error === '' ? historyTexts.notSent : failureMessage(error).title;
  if (status === 'failed' || next === null) return failure;
  return fill(historyTexts.nextAttempt, { failure, time: untilText(next, Date.now()) });
}

import { Group, Text } from '@mantine/core';
import type { DeliverySummary, FoundDelivery } from '../api/records.ts';
import { deliveriesTexts } from '../deliveries/deliveries-texts.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { STATUS_LABELS } from '../messages/webhook-text.ts';
import { type Column, RowLink } from '../table/data-table.tsx';
import { fill, numberText } from '../texts/host-texts.ts';
import { Instant, untilText } from '../ui/instant.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { WebhookUrl } from '../ui/webhook-url.tsx';
import { historyTexts } from './delivery-texts.ts';
import { useOpenDelivery } from './open-delivery.ts';
import { TestBadge } from './test-badge.tsx';

type Row = DeliverySummary | FoundDelivery;

/** The columns of deliveries, and which one is open. Each row is a link that opens its delivery. */
export function useDeliveryColumns(isAcross: boolean) {
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
  const columns = isAcross
    ? [event, WEBHOOK, STATUS, resultColumn('line'), ...TIMES]
    : [event, STATUS, resultColumn('below'), ...TIMES];
  return { columns, openKey: openId };
}

const WEBHOOK: Column<Row> = {
  label: deliveriesTexts.webhook,
  narrow: 'below',
  cell: (row) => 'webhook_url' in row && <WebhookName {...row} />,
};

function WebhookName({ webhook_url: url, webhook_name: name }: FoundDelivery) {
  if (url === null) return null;
  if (!name) return <WebhookUrl url={url} />;
  return (
    <Text size="sm" truncate title={url}>
      <VisibleText text={name} />
    </Text>
  );
}

/** In pixels: as wide as the longest status of the language. */
const STATUS_WIDTH = 34 + 7 * Math.max(10, ...Object.values(STATUS_LABELS).map(({ length }) => length));

const STATUS: Column<Row> = {
  label: historyTexts.status,
  width: STATUS_WIDTH,
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

import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { Delivery, WebhookDetail } from '../api/records.ts';
import { useSameEvent } from '../api/webhook-queries.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { fill } from '../texts/host-texts.ts';
import { changedParameters } from '../ui/changed-parameters.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ExactInstant } from '../ui/instant.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { Answers } from './answers.tsx';
import { AttemptAxis } from './attempt-axis.tsx';
import { deliveryTexts } from './delivery-texts.ts';
import { DeliveryVerdict } from './delivery-verdict.tsx';
import { JsonTree } from './json-tree.tsx';
import type { Resend } from './resend.ts';
import { curlCommand, sentBody, sentHeaders } from './sent-request.ts';
import { TestBadge } from './test-badge.tsx';

interface DeliveryViewProps {
  readonly webhook: WebhookDetail;
  readonly delivery: Delivery;
  readonly resend: Resend;
}

/** Everything that is known about one delivery: its outcome, its attempts and what was said. */
export function DeliveryView({ webhook, delivery, resend }: DeliveryViewProps) {
  const { delivery_id: deliveryId, event, request } = delivery;
  return (
    <>
      <div>
        <Group gap="xs">
          <Text className="event-name" fw={600} c="var(--mantine-color-text)">
            {event}
          </Text>
          {delivery.is_test && <TestBadge />}
        </Group>
        <Anchor
          component={Link}
          href={`/${webhook.id}`}
          size="sm"
          lineClamp={2}
          className="long-text"
          title={webhook.url}
        >
          <VisibleText text={webhook.name || webhook.url} />
        </Anchor>
        <Text size="sm" c="dimmed">
          {fillNodes(deliveryTexts.created, { time: <ExactInstant at={delivery.created_at} /> })}
        </Text>
        {!delivery.is_test && <SameEvent delivery={delivery} />}
      </div>
      <Group gap="xs">
        <CopyButton size="compact-sm" text={deliveryId} label={deliveryTexts.copyId} />
        <CopyButton size="compact-sm" text={webhook.url} label={deliveryTexts.copyUrl} />
        <CopyButton size="compact-sm" text={sentBody(delivery)} label={deliveryTexts.copyBody} />
        {request && (
          <CopyButton
            size="compact-sm"
            text={curlCommand(webhook.url, delivery, request)}
            label={deliveryTexts.copyCurl}
          />
        )}
      </Group>
      <DeliveryVerdict webhook={webhook} delivery={delivery} resend={resend} />
      <AttemptAxis delivery={delivery} />
      <div className="delivery-columns">
        <Stack gap="xs" component="section">
          <Title order={3} size="h5">
            {deliveryTexts.request}
          </Title>
          <JsonTree
            label={deliveryTexts.body}
            value={{ type: event, timestamp: delivery.created_at, data: delivery.payload }}
          />
          <SentHeaders delivery={delivery} />
        </Stack>
        <Stack gap="xs" component="section">
          <Title order={3} size="h5">
            {deliveryTexts.answers}
          </Title>
          <Answers attempts={delivery.attempt_log} />
        </Stack>
      </div>
    </>
  );
}

/** To how many others the event went, and how that ended. */
function SameEvent({ delivery }: { readonly delivery: Delivery }) {
  const { data } = useSameEvent(delivery);
  if (data === undefined || data.count === 0) return null;
  const { count, failed, from, to } = data;
  const filter = changedParameters(new URLSearchParams(), {
    event: delivery.event,
    range: 'custom',
    from,
    to,
  });
  return (
    <Anchor component={Link} href={`/deliveries?${filter}`} size="sm">
      {fill(data.isWhole ? deliveryTexts.sameEvent : deliveryTexts.sameEventOrMore, { count, failed })}
    </Anchor>
  );
}

/** The headers of the last request. */
function SentHeaders({ delivery: { request, status, error, attempts } }: { readonly delivery: Delivery }) {
  if (request === null) {
    const isUnderWay = status === 'pending' && error === '' && attempts > 0;
    return (
      <Text size="sm" c="dimmed">
        {isUnderWay ? deliveryTexts.requestUnderWay : deliveryTexts.noRequest}
      </Text>
    );
  }
  return (
    <Text component="details" size="sm">
      <summary>{deliveryTexts.headers}</summary>
      <CodeBlock label={deliveryTexts.headers} text={sentHeaders(request)} />
      <Text size="xs" c="dimmed">
        {fill(deliveryTexts.headersAdvice, { number: request.attempt })}
      </Text>
    </Text>
  );
}

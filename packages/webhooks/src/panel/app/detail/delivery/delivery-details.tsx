import { Button, CloseButton, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { readableJson } from '../../../../readable-json.ts';
import type { Delivery, DeliverySummary, WebhookDetail } from '../../api/records.ts';
import { useDelivery, useHistoryRefresh } from '../../api/webhook-queries.ts';
import { fillNodes } from '../../texts/fill-nodes.tsx';
import { fill } from '../../texts/host-texts.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ExactInstant } from '../../ui/instant.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { uiTexts } from '../../ui/ui-texts.ts';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { deliveryTexts } from './delivery-texts.ts';
import { DeliveryVerdict } from './delivery-verdict.tsx';
import { curlCommand, sentBody, sentHeaders } from './sent-request.ts';

interface DeliveryDetailsProps {
  readonly webhook: WebhookDetail;
  readonly deliveryId: string;
  /** The delivery as the row above shows it. */
  readonly summary?: DeliverySummary;
  readonly onClose: () => void;
}

/** Everything that is known about one delivery: its outcome, its attempts and its request. */
export function DeliveryDetails({ webhook, deliveryId, summary, onClose }: DeliveryDetailsProps) {
  const { data: delivery, error, refetch } = useDelivery(webhook.id, deliveryId);
  useHistoryRefresh(summary, delivery);
  if (error && !delivery) {
    return (
      <Stack gap="sm">
        <ProblemAlert title={deliveryTexts.notLoaded} error={error} onRetry={() => void refetch()} />
        <Group>
          <Button variant="default" size="xs" onClick={onClose}>
            {uiTexts.close}
          </Button>
        </Group>
      </Stack>
    );
  }
  if (!delivery) return <Skeleton height={160} aria-label={deliveryTexts.loading} />;
  const body = sentBody(delivery);
  return (
    <section aria-label={fill(deliveryTexts.label, { id: deliveryId })} tabIndex={-1} data-focus-home>
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Text size="sm" c="dimmed" className="long-text">
          {fillNodes(deliveryTexts.heading, {
            id: <span className="event-name">{deliveryId}</span>,
            time: <ExactInstant at={delivery.created_at} />,
          })}
        </Text>
        <CloseButton aria-label={deliveryTexts.close} onClick={onClose} />
      </Group>
      <Stack gap="md">
        <DeliveryVerdict webhook={webhook} delivery={delivery} />
        <div className="delivery-columns">
          <Stack gap="xs">
            <Title order={3} size="h5">
              {deliveryTexts.attempts}
            </Title>
            <AttemptTimeline delivery={delivery} />
          </Stack>
          <Stack gap="xs">
            <Group justify="space-between">
              <Title order={3} size="h5">
                {deliveryTexts.payload}
              </Title>
              <CopyButton text={body} label={deliveryTexts.copyBody} />
            </Group>
            <CodeBlock label={deliveryTexts.body} text={readableJson(body)} />
            <Text size="xs" c="dimmed">
              {deliveryTexts.bodyAdvice}
            </Text>
            <SentRequest webhook={webhook} delivery={delivery} />
          </Stack>
        </div>
      </Stack>
    </section>
  );
}

interface SentRequestProps {
  readonly webhook: WebhookDetail;
  readonly delivery: Delivery;
}

/** The headers of the last request, and a command that sends it again. */
function SentRequest({ webhook, delivery }: SentRequestProps) {
  const { request, status, error, attempts } = delivery;
  const isUnderWay = status === 'pending' && error === '' && attempts > 0;
  const none = isUnderWay ? deliveryTexts.requestUnderWay : deliveryTexts.noRequest;
  return (
    <>
      <Group justify="space-between">
        <Title order={3} size="h5">
          {deliveryTexts.headers}
        </Title>
        {request && (
          <CopyButton text={curlCommand(webhook.url, delivery, request)} label={deliveryTexts.copyCurl} />
        )}
      </Group>
      {request && <CodeBlock label={deliveryTexts.headers} text={sentHeaders(request)} />}
      <Text size="xs" c="dimmed">
        {request ? fill(deliveryTexts.headersAdvice, { number: request.attempt }) : none}
      </Text>
    </>
  );
}

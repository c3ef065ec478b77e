import { Button, CloseButton, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { DeliverySummary, WebhookDetail } from '../../api/records.ts';
import { useDelivery, useHistoryRefresh } from '../../api/webhook-queries.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ExactInstant } from '../../ui/instant.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { DeliveryVerdict } from './delivery-verdict.tsx';
import { readableBody, sentBody, sentHeaders } from './sent-request.ts';

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
        <ProblemAlert title="The delivery could not be loaded" error={error} onRetry={() => void refetch()} />
        <Group>
          <Button variant="default" size="xs" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    );
  }
  if (!delivery) return <Skeleton height={160} aria-label="The delivery is loading" />;
  return (
    <section className="delivery-details" aria-label={`Delivery ${deliveryId}`} tabIndex={-1} data-focus-home>
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Text size="sm" c="dimmed" className="long-text">
          Delivery <span className="event-name">{deliveryId}</span>, created{' '}
          <ExactInstant at={delivery.created_at} />
        </Text>
        <CloseButton aria-label="Close delivery" onClick={onClose} />
      </Group>
      <Stack gap="md">
        <DeliveryVerdict webhook={webhook} delivery={delivery} />
        <div className="delivery-columns">
          <Stack gap="xs">
            <Title order={3} size="h5">
              Attempts
            </Title>
            <AttemptTimeline delivery={delivery} />
          </Stack>
          <Stack gap="xs" className="sent">
            <Group justify="space-between">
              <Title order={3} size="h5">
                Payload
              </Title>
              <CopyButton text={sentBody(delivery)} label="Copy body" />
            </Group>
            <CodeBlock label="Body sent" text={readableBody(delivery)} />
            <Text size="xs" c="dimmed">
              Indented for reading. “Copy body” copies it byte for byte as it is sent.
            </Text>
            <Title order={3} size="h5">
              Headers sent
            </Title>
            <CodeBlock label="Headers sent" text={sentHeaders(delivery, webhook)} />
            <Text size="xs" c="dimmed">
              Reconstructed from the record, which contains neither signatures nor the sender’s version. An
              application that sets standardHeaders to false sends none of the last three.
            </Text>
          </Stack>
        </div>
      </Stack>
    </section>
  );
}

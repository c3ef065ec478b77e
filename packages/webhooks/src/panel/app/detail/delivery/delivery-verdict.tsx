import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconRefresh } from '@tabler/icons-react';
import { useApi } from '../../api/api-context.ts';
import type { Delivery, WebhookDetail } from '../../api/records.ts';
import { useRedeliver } from '../../api/webhook-actions.ts';
import { failureMessage } from '../../messages/failure-message.ts';
import { problemMessage } from '../../messages/problem-message.ts';
import { fillNodes } from '../../texts/fill-nodes.tsx';
import { fill } from '../../texts/host-texts.ts';
import { useAnnounce } from '../../ui/announcements.tsx';
import { Instant, untilText } from '../../ui/instant.tsx';
import { deliveryTexts } from './delivery-texts.ts';

interface DeliveryVerdictProps {
  readonly webhook: WebhookDetail;
  readonly delivery: Delivery;
}

/** The outcome of a delivery, its reason, and what the administrator can do about it. */
export function DeliveryVerdict({ webhook, delivery }: DeliveryVerdictProps) {
  const { status } = delivery;
  if (status === 'pending') return <PendingVerdict delivery={delivery} />;
  if (status === 'success') {
    return (
      <Alert color="teal" icon={<IconCheck />} title={deliveryTexts.received}>
        <Text size="sm">
          {delivery.completed_at === null
            ? fill(deliveryTexts.answered, { status: String(delivery.status_code) })
            : fillNodes(deliveryTexts.answeredAt, {
                status: delivery.status_code,
                time: <Instant at={delivery.completed_at} />,
              })}
        </Text>
        <Redeliver webhook={webhook} delivery={delivery} />
      </Alert>
    );
  }
  const { title, advice } = failureMessage(delivery.error);
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={title}>
      <Text size="sm">{advice}</Text>
      <Text size="sm" mt={4}>
        {fill(deliveryTexts.givenUp, { count: delivery.attempts })}
      </Text>
      <Redeliver webhook={webhook} delivery={delivery} />
    </Alert>
  );
}

function PendingVerdict({ delivery }: { readonly delivery: Delivery }) {
  const { error, attempts, next_attempt_at: next } = delivery;
  const failure = error === '' ? null : failureMessage(error);
  return (
    <Alert color="yellow" icon={<IconClock />} title={failure?.title ?? deliveryTexts.onItsWay}>
      {failure && <Text size="sm">{failure.advice}</Text>}
      {failure === null && attempts > 0 && <Text size="sm">{deliveryTexts.firstUnderWay}</Text>}
      {next !== null && (failure !== null || attempts === 0) && (
        <Text size="sm">
          {fillNodes(failure === null ? deliveryTexts.firstAttempt : deliveryTexts.nextAttempt, {
            wait: untilText(next, Date.now()),
            time: <Instant at={next} />,
          })}
        </Text>
      )}
    </Alert>
  );
}

function Redeliver({ webhook, delivery }: DeliveryVerdictProps) {
  const { isReadOnly } = useApi();
  const announce = useAnnounce();
  const redeliver = useRedeliver(webhook.id, delivery.delivery_id);
  function send(): void {
    redeliver.mutate(undefined, {
      onSuccess: () => announce({ kind: 'good', text: deliveryTexts.sentAgain }),
      onError: (error) => announce({ kind: 'bad', text: problemMessage(error) }),
    });
  }
  if (isReadOnly) return null;
  return (
    <Group mt="sm" gap="sm">
      <Button
        size="xs"
        variant={delivery.status === 'failed' ? 'filled' : 'default'}
        leftSection={<IconRefresh size={16} />}
        loading={redeliver.isPending}
        disabled={!webhook.is_active}
        onClick={send}
      >
        {deliveryTexts.sendAgain}
      </Button>
      {!webhook.is_active && <Text size="sm">{deliveryTexts.activateFirst}</Text>}
    </Group>
  );
}

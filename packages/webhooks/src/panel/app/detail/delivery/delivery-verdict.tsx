import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconRefresh } from '@tabler/icons-react';
import type { Delivery, WebhookDetail } from '../../api/records.ts';
import { useRedeliver } from '../../api/webhook-actions.ts';
import { failureMessage } from '../../messages/failure-message.ts';
import { problemMessage } from '../../messages/problem-message.ts';
import { countOf } from '../../messages/webhook-text.ts';
import { useAnnounce } from '../../ui/announcements.tsx';
import { Instant, untilText } from '../../ui/instant.tsx';

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
      <Alert color="teal" icon={<IconCheck />} title="Received">
        <Text size="sm">
          The recipient answered HTTP {delivery.status_code}
          {delivery.completed_at !== null && (
            <>
              {' '}
              at <Instant at={delivery.completed_at} />
            </>
          )}
          .
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
        Given up after {countOf(delivery.attempts, 'attempt')}. Once the cause is fixed, send it again: it
        keeps its id, so the recipient does not process it twice.
      </Text>
      <Redeliver webhook={webhook} delivery={delivery} />
    </Alert>
  );
}

function PendingVerdict({ delivery }: { readonly delivery: Delivery }) {
  const { error, next_attempt_at: next } = delivery;
  const failure = error === '' ? null : failureMessage(error);
  return (
    <Alert color="yellow" icon={<IconClock />} title={failure?.title ?? 'On its way'}>
      {failure && <Text size="sm">{failure.advice}</Text>}
      {next !== null && (
        <Text size="sm">
          {failure === null ? 'The first attempt' : 'It is tried again automatically'}:{' '}
          {untilText(next, Date.now())} (
          <Instant at={next} />
          ). This page updates automatically.
        </Text>
      )}
    </Alert>
  );
}

function Redeliver({ webhook, delivery }: DeliveryVerdictProps) {
  const announce = useAnnounce();
  const redeliver = useRedeliver(webhook.id, delivery.delivery_id);
  function send(): void {
    redeliver.mutate(undefined, {
      onSuccess: () =>
        announce({ kind: 'good', text: 'It is on its way again. This page shows the result.' }),
      onError: (error) => announce({ kind: 'bad', text: problemMessage(error) }),
    });
  }
  return (
    <Group mt="sm" gap="sm" className="alert-ways">
      <Button
        size="xs"
        variant={delivery.status === 'failed' ? 'filled' : 'default'}
        leftSection={<IconRefresh size={16} />}
        loading={redeliver.isPending}
        disabled={!webhook.is_active}
        onClick={send}
      >
        Send again
      </Button>
      {!webhook.is_active && <Text size="sm">Activate the webhook first.</Text>}
    </Group>
  );
}

import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconRefresh } from '@tabler/icons-react';
import type { Delivery, WebhookDetail } from '../../api/records.ts';
import { useRedeliver } from '../../api/webhook-actions.ts';
import { useAnnounce } from '../../ui/announcements.tsx';
import { Instant, untilText } from '../../ui/instant.tsx';
import { failureWords } from '../../words/failure-words.ts';
import { problemWords } from '../../words/problem-words.ts';
import { countOf } from '../../words/webhook-words.ts';

interface DeliveryVerdictProps {
  readonly webhook: WebhookDetail;
  readonly delivery: Delivery;
}

/** What became of a delivery, why, and what to do about it. */
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
  const { title, advice } = failureWords(delivery.error);
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={title}>
      <Text size="sm">{advice}</Text>
      <Text size="sm" mt={4}>
        Given up after {countOf(delivery.attempts, 'attempt')}. Once the cause is fixed, send it again: it
        keeps its id, so the recipient does not do it twice.
      </Text>
      <Redeliver webhook={webhook} delivery={delivery} />
    </Alert>
  );
}

function PendingVerdict({ delivery }: { readonly delivery: Delivery }) {
  const { error, next_attempt_at: next } = delivery;
  const failure = error === '' ? null : failureWords(error);
  return (
    <Alert color="yellow" icon={<IconClock />} title={failure?.title ?? 'On its way'}>
      {failure && <Text size="sm">{failure.advice}</Text>}
      {next !== null && (
        <Text size="sm">
          {failure === null ? 'The first attempt' : 'It is tried again by itself'}:{' '}
          {untilText(next, Date.now())} (
          <Instant at={next} />
          ). This page follows it.
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
      onSuccess: () => announce({ kind: 'good', text: 'It is on its way again. This page follows it.' }),
      onError: (error) => announce({ kind: 'bad', text: problemWords(error) }),
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

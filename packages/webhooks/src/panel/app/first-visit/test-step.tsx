import { Alert, Anchor, Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useApi } from '../api/api-context.ts';
import { useTestWebhook } from '../api/webhook-actions.ts';
import { useDelivery } from '../api/webhook-queries.ts';
import { useOpenDelivery } from '../delivery/open-delivery.ts';
import { webhookTexts } from '../detail/webhook-texts.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { SupportLink } from '../ui/support-link.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { firstVisitTexts } from './first-visit-texts.ts';
import { Step } from './step.tsx';

interface TestStepProps {
  readonly webhook: { readonly id: number; readonly is_active: boolean };
  /** The delivery of the last test; null before the first. */
  readonly sentId: string | null;
  readonly isReceived: boolean;
  readonly onSent: (deliveryId: string) => void;
}

/** The test, which is done once the server has answered with 2xx. */
export function TestStep({ webhook, sentId, isReceived, onSent }: TestStepProps) {
  const { isReadOnly } = useApi();
  const test = useTestWebhook(webhook.id);
  const send = () => test.mutate(undefined, { onSuccess: ({ delivery_id: id }) => onSent(id) });
  return (
    <Step number={4} title={firstVisitTexts.test} isDone={isReceived}>
      <Text size="sm" role="status">
        {isReceived ? firstVisitTexts.received : sentId === null ? firstVisitTexts.testLater : null}
      </Text>
      {!isReceived && sentId !== null && <SentTest deliveryId={sentId} />}
      {test.error && <ProblemAlert title={uiTexts.notDone} error={test.error} />}
      {!isReceived && !webhook.is_active && <Text size="sm">{webhookTexts.activateToTest}</Text>}
      {!isReceived && webhook.is_active && !isReadOnly && (
        <Button variant={sentId === null ? 'filled' : 'default'} loading={test.isPending} onClick={send}>
          {sentId === null ? firstVisitTexts.sendTest : firstVisitTexts.sendAnother}
        </Button>
      )}
    </Step>
  );
}

/** A test whose answer is waited for, or why it was none. */
function SentTest({ deliveryId }: { readonly deliveryId: string }) {
  const { data: delivery } = useDelivery(deliveryId);
  const { linkTo } = useOpenDelivery();
  if (delivery === undefined || delivery.error === '') {
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" />
        <Text size="sm">{firstVisitTexts.waiting}</Text>
      </Group>
    );
  }
  const { title, advice } = failureMessage(delivery.error);
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={title} role="status">
      <Text size="sm">{advice}</Text>
      <Group mt="xs" gap="md">
        <Anchor component={Link} {...linkTo(deliveryId)} size="sm">
          {firstVisitTexts.seeDelivery}
        </Anchor>
        <SupportLink />
      </Group>
    </Alert>
  );
}

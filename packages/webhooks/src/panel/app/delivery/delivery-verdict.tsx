import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Delivery, WebhookDetail } from '../api/records.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { problemMessage } from '../messages/problem-message.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { fill } from '../texts/host-texts.ts';
import { Instant, untilText } from '../ui/instant.tsx';
import { SupportLink } from '../ui/support-link.tsx';
import { deliveryTexts } from './delivery-texts.ts';
import type { Resend } from './resend.ts';

const LOOKS = {
  pending: { color: 'yellow', icon: <IconClock /> },
  success: { color: 'teal', icon: <IconCheck /> },
  failed: { color: 'red', icon: <IconAlertTriangle /> },
} as const;

interface DeliveryVerdictProps {
  readonly webhook: WebhookDetail;
  readonly delivery: Delivery;
  readonly resend: Resend;
}

/** The outcome of a delivery, its reason, and what the administrator can do about it. */
export function DeliveryVerdict({ webhook, delivery, resend }: DeliveryVerdictProps) {
  const { status, error } = delivery;
  const failure = error === '' ? null : failureMessage(error);
  const title = failure?.title ?? (status === 'success' ? deliveryTexts.received : deliveryTexts.onItsWay);
  return (
    <Alert {...LOOKS[status]} title={title}>
      {failure && <Text size="sm">{failure.advice}</Text>}
      <Text size="sm">{outcomeOf(delivery)}</Text>
      {resend.isOffered && (
        <Group mt="sm" gap="sm">
          <Button
            size="xs"
            variant={status === 'failed' ? 'filled' : 'default'}
            leftSection={<IconRefresh size={16} />}
            loading={resend.isPending}
            disabled={!webhook.is_active}
            aria-keyshortcuts="r"
            onClick={resend.send}
          >
            {deliveryTexts.sendAgain}
          </Button>
          {!webhook.is_active && <Text size="sm">{deliveryTexts.activateFirst}</Text>}
          <Text size="sm" role="status" className="danger">
            {resend.error && problemMessage(resend.error)}
          </Text>
          {status === 'failed' && <SupportLink />}
        </Group>
      )}
    </Alert>
  );
}

/** How it ended, or what comes next. */
function outcomeOf(delivery: Delivery): ReactNode {
  const {
    status,
    status_code: code,
    attempts,
    completed_at: endedAt,
    next_attempt_at: next,
    error,
  } = delivery;
  if (status === 'failed') return fill(deliveryTexts.givenUp, { count: attempts });
  if (status === 'success') {
    if (endedAt === null) return fill(deliveryTexts.answered, { status: String(code) });
    return fillNodes(deliveryTexts.answeredAt, { status: code, time: <Instant at={endedAt} /> });
  }
  if (error === '' && attempts > 0) return deliveryTexts.firstUnderWay;
  if (next === null) return null;
  return fillNodes(error === '' ? deliveryTexts.firstAttempt : deliveryTexts.nextAttempt, {
    wait: untilText(next, Date.now()),
    time: <Instant at={next} />,
  });
}

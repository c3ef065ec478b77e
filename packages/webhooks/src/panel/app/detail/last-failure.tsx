import { Anchor, Text } from '@mantine/core';
import type { WebhookDetail } from '../api/records.ts';
import { useHistory } from '../api/webhook-queries.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { Instant } from '../ui/instant.tsx';
import { useOpenDelivery } from './delivery/open-delivery.ts';
import { FIRST_PAGE } from './history/history-view.ts';
import { webhookTexts } from './webhook-texts.ts';

/**
 * Why the deliveries of a failing webhook fail: the newest failure of the first page of its
 * history, which the page reads anyway.
 */
export function LastFailure({ webhook }: { readonly webhook: WebhookDetail }) {
  const { data } = useHistory(webhook.id, FIRST_PAGE);
  const { open } = useOpenDelivery();
  const last = data?.deliveries.find(({ status, is_test: isTest }) => status === 'failed' && !isTest);
  if (data && !last) return null;
  return (
    <Text size="sm" mt={4}>
      {last ? (
        <Anchor
          component="button"
          type="button"
          className="danger"
          underline="always"
          size="sm"
          ta="start"
          onClick={() => open(last.delivery_id)}
        >
          {fillNodes(webhookTexts.lastFailure, {
            error: failureMessage(last.error).title,
            time: <Instant at={last.completed_at ?? last.created_at} />,
          })}
        </Anchor>
      ) : (
        '\u00a0'
      )}
    </Text>
  );
}

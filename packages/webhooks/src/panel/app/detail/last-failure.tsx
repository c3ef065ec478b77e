import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useDeliverySearch } from '../api/delivery-pages.ts';
import type { WebhookDetail } from '../api/records.ts';
import { firstPageOf } from '../deliveries/deliveries-view.ts';
import { useOpenDelivery } from '../delivery/open-delivery.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { Instant } from '../ui/instant.tsx';
import { webhookTexts } from './webhook-texts.ts';

/**
 * Why the deliveries of a failing webhook fail: the newest failure of the first page of its
 * history, which the page reads anyway.
 */
export function LastFailure({ webhook }: { readonly webhook: WebhookDetail }) {
  const { data } = useDeliverySearch(firstPageOf(webhook.id)).search;
  const { linkTo } = useOpenDelivery();
  const last = data?.deliveries.find(({ status, is_test: isTest }) => status === 'failed' && !isTest);
  if (data && !last) return null;
  return (
    <Text size="sm" mt={4}>
      {last ? (
        <Anchor
          component={Link}
          {...linkTo(last.delivery_id)}
          className="danger"
          underline="always"
          size="sm"
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

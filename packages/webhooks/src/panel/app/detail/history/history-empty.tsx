import { Anchor, Button, Text } from '@mantine/core';
import { IconFilterOff, IconInbox } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { WebhookDetail } from '../../api/records.ts';
import { EmptyNotice } from '../../ui/empty-notice.tsx';

interface HistoryEmptyProps {
  readonly webhook: WebhookDetail;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** Shown for a history without rows: because of a filter, or because nothing was sent yet. */
export function HistoryEmpty({ webhook, isFiltered, onClear }: HistoryEmptyProps) {
  if (isFiltered) {
    return (
      <EmptyNotice
        icon={<IconFilterOff size={32} />}
        title="No delivery matches"
        text="Enter the full name of an event."
      >
        <Button variant="default" onClick={onClear}>
          Show all deliveries
        </Button>
      </EmptyNotice>
    );
  }
  const text = webhook.is_active
    ? 'As soon as an event that this webhook subscribes to happens, its delivery appears here. “Send test event” above sends one now.'
    : 'Nothing is sent while the webhook is paused. Activate it above.';
  return (
    <EmptyNotice icon={<IconInbox size={32} />} title="No deliveries yet" text={text}>
      <Text size="sm">
        <Anchor component={Link} href="?explain=">
          Did an event happen that is missing here?
        </Anchor>
      </Text>
    </EmptyNotice>
  );
}

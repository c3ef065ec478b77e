import { Button } from '@mantine/core';
import { IconSearchOff, IconWebhook } from '@tabler/icons-react';
import { EmptyNotice } from '../ui/empty-notice.tsx';

interface NoWebhooksProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onCreate: () => void;
}

/** Shown for an empty list: because of a filter, or because there is no webhook yet. */
export function NoWebhooks({ isFiltered, onClear, onCreate }: NoWebhooksProps) {
  if (isFiltered) {
    return (
      <EmptyNotice
        icon={<IconSearchOff size={32} />}
        title="No webhook matches"
        text="Try a shorter search, or show all."
      >
        <Button variant="default" onClick={onClear}>
          Show all webhooks
        </Button>
      </EmptyNotice>
    );
  }
  return (
    <EmptyNotice
      icon={<IconWebhook size={40} />}
      title="No webhooks yet"
      text="Add the URL of another system and choose its events. You see its secret once, can send a test event, and find the result of every delivery here."
    >
      <Button onClick={onCreate} mt="xs">
        Add your first webhook
      </Button>
    </EmptyNotice>
  );
}

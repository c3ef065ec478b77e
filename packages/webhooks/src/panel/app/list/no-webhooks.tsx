import { Button } from '@mantine/core';
import { IconSearchOff, IconWebhook } from '@tabler/icons-react';
import { EmptyNotice } from '../ui/empty-notice.tsx';

interface NoWebhooksProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onCreate: () => void;
}

/** An empty list: nothing found, or nothing there yet. */
export function NoWebhooks({ isFiltered, onClear, onCreate }: NoWebhooksProps) {
  if (isFiltered) {
    return (
      <EmptyNotice
        icon={<IconSearchOff size={32} />}
        title="No webhook matches"
        text="Search for less, or show all."
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
      text="Add the address of another system and choose its events. You get a secret for it once, send a test event, and see here what became of every delivery."
    >
      <Button onClick={onCreate} mt="xs">
        Add your first webhook
      </Button>
    </EmptyNotice>
  );
}

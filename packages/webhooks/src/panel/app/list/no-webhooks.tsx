import { Button } from '@mantine/core';
import { IconSearchOff, IconWebhook } from '@tabler/icons-react';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { listTexts } from './list-texts.ts';

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
        title={listTexts.noMatch}
        text={listTexts.noMatchAdvice}
      >
        <Button variant="default" onClick={onClear}>
          {listTexts.showAll}
        </Button>
      </EmptyNotice>
    );
  }
  return (
    <EmptyNotice icon={<IconWebhook size={40} />} title={listTexts.empty} text={listTexts.emptyAdvice}>
      <Button onClick={onCreate} mt="xs">
        {listTexts.addFirst}
      </Button>
    </EmptyNotice>
  );
}

import { Anchor, Button, Text } from '@mantine/core';
import { IconFilterOff, IconInbox } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useApi } from '../../api/api-context.ts';
import type { WebhookDetail } from '../../api/records.ts';
import { EmptyNotice } from '../../ui/empty-notice.tsx';
import { historyTexts } from './history-texts.ts';

interface HistoryEmptyProps {
  readonly webhook: WebhookDetail;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** Shown for a history without rows: because of a filter, or because nothing was sent yet. */
export function HistoryEmpty({ webhook, isFiltered, onClear }: HistoryEmptyProps) {
  const { isReadOnly } = useApi();
  if (isFiltered) {
    return (
      <EmptyNotice
        icon={<IconFilterOff size={32} />}
        title={historyTexts.noMatch}
        text={historyTexts.noMatchAdvice}
      >
        <Button variant="default" onClick={onClear}>
          {historyTexts.showAll}
        </Button>
      </EmptyNotice>
    );
  }
  const whileActive = isReadOnly ? historyTexts.emptyReadOnly : historyTexts.emptyAdvice;
  const text = webhook.is_active ? whileActive : historyTexts.emptyPaused;
  return (
    <EmptyNotice icon={<IconInbox size={32} />} title={historyTexts.empty} text={text}>
      <Text size="sm">
        <Anchor component={Link} href="?explain=">
          {historyTexts.missing}
        </Anchor>
      </Text>
    </EmptyNotice>
  );
}

import { Anchor, Button } from '@mantine/core';
import { IconSearchOff, IconWebhook } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useApi } from '../api/api-context.ts';
import { deliveryIdOf } from '../api/delivery-id.ts';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { listTexts } from './list-texts.ts';

interface NoWebhooksProps {
  readonly isFiltered: boolean;
  /** Whether only webhooks that fail are asked for, and nothing else. */
  readonly isHealthy: boolean;
  readonly search: string;
  readonly onClear: () => void;
  readonly onCreate: () => void;
}

/** Shown for an empty list: because of a filter, or because there is no webhook yet. */
export function NoWebhooks({ isFiltered, isHealthy, search, onClear, onCreate }: NoWebhooksProps) {
  const { isReadOnly } = useApi();
  if (isFiltered) {
    const deliveryId = deliveryIdOf(search);
    return (
      <EmptyNotice
        icon={<IconSearchOff size={32} />}
        title={isHealthy ? listTexts.noneDown : listTexts.noMatch}
        text={isHealthy ? listTexts.noneDownAdvice : listTexts.noMatchAdvice}
      >
        {deliveryId !== null && (
          <Anchor component={Link} href={`/deliveries?id=${deliveryId}`} size="sm">
            {listTexts.findDelivery}
          </Anchor>
        )}
        <Button variant="default" onClick={onClear}>
          {listTexts.showAll}
        </Button>
      </EmptyNotice>
    );
  }
  return (
    <EmptyNotice
      icon={<IconWebhook size={40} />}
      title={listTexts.empty}
      text={isReadOnly ? listTexts.emptyReadOnly : listTexts.emptyAdvice}
    >
      {!isReadOnly && (
        <Button onClick={onCreate} mt="xs">
          {listTexts.addFirst}
        </Button>
      )}
    </EmptyNotice>
  );
}

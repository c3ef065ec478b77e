import { Anchor, Button } from '@mantine/core';
import { IconSearchOff, IconWebhook } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useApi, useRead } from '../api/api-context.ts';
import { ApiError } from '../api/api-error.ts';
import { deliveryIdOf } from '../api/delivery-id.ts';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import type { ListState } from './list-state.ts';
import { listTexts } from './list-texts.ts';

const FirstVisit = lazyComponent(async () => (await import('../first-visit/first-visit.tsx')).FirstVisit);

/** Shown for an empty list: because of a filter, or because there is no webhook yet. */
export function NoWebhooks({ list }: { readonly list: ListState }) {
  const { isReadOnly } = useApi();
  const isOwn = useIsOwnList(!list.isFiltered && !isReadOnly);
  if (list.isFiltered) {
    const isHealthy = list.level === 'down' && list.search === '';
    const deliveryId = deliveryIdOf(list.search);
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
        <Button variant="default" onClick={list.clear}>
          {listTexts.showAll}
        </Button>
      </EmptyNotice>
    );
  }
  if (!isReadOnly && isOwn !== false) return isOwn && <FirstVisit />;
  return (
    <EmptyNotice
      icon={<IconWebhook size={40} />}
      title={listTexts.empty}
      text={isReadOnly ? listTexts.emptyReadOnly : listTexts.emptyAdvice}
    >
      {!isReadOnly && (
        <Button onClick={() => list.setCreating(true)} mt="xs">
          {listTexts.addFirst}
        </Button>
      )}
    </EmptyNotice>
  );
}

/**
 * Whether all webhooks are the visitor's own: the API of administrators alone lists tenants.
 * Undefined until it is known.
 */
function useIsOwnList(isAsked: boolean): boolean | undefined {
  const options = { enabled: isAsked, staleTime: Number.POSITIVE_INFINITY };
  const { data, error } = useRead('tenants', '/tenants', { query: { limit: 1 } }, options);
  if (error) return error instanceof ApiError && error.status === 404;
  return data ? false : undefined;
}

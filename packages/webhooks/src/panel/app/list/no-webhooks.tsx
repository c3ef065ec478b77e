import { Anchor, Button } from '@mantine/core';
import { IconSearchOff, IconWebhook } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useApi } from '../api/api-context.ts';
import { deliveryIdOf } from '../api/delivery-id.ts';
import { useOffers } from '../api/offers.ts';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import type { ListState } from './list-state.ts';
import { listTexts } from './list-texts.ts';

const FirstVisit = lazyComponent(async () => (await import('../first-visit/first-visit.tsx')).FirstVisit);

/** Shown for an empty list: because of a filter, or because there is no webhook yet. */
export function NoWebhooks({ list }: { readonly list: ListState }) {
  const { isReadOnly } = useApi();
  // All webhooks are the visitor's own where the API lists no tenants.
  const { data: listsTenants, isPending } = useOffers('/tenants', !list.isFiltered && !isReadOnly);
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
  if (!isReadOnly && isPending) return null;
  if (!isReadOnly && listsTenants === false) return <FirstVisit />;
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

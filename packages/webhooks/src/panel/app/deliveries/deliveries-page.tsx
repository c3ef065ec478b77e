import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useRef } from 'react';
import { useCurrent } from '../api/refresh.ts';
import { isByResult, useDeliverySearch } from '../api/webhook-queries.ts';
import { DeliveryList, NoMatch } from '../delivery/delivery-list.tsx';
import { Freshness } from '../page/freshness.tsx';
import { usePageTitle } from '../page/page-title.ts';
import { StaleAlert } from '../page/stale-alert.tsx';
import { fill } from '../texts/host-texts.ts';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { deliveriesTexts } from './deliveries-texts.ts';
import { PAGE_SIZE, useDeliveriesView } from './deliveries-view.ts';
import { DeliveryFilters } from './delivery-filters.tsx';

/** The deliveries of all webhooks, newest first: by id, or by what they have in common. */
export function DeliveriesPage() {
  usePageTitle(fill(uiTexts.pageTitle, { page: uiTexts.deliveries }));
  const view = useDeliveriesView(true);
  const heading = useRef<HTMLHeadingElement>(null);
  const search = useDeliverySearch(view.query, view.recentMs);
  const { error, refetch } = search;
  const data = view.query === null ? undefined : search.data;
  const current = useCurrent(null, [...new Set(data?.deliveries.map((delivery) => delivery.webhook_id))]);
  const isSearchedAgain = view.query !== null && isByResult(view.query);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <Box flex="1 1 280px">
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            {deliveriesTexts.title}
          </Title>
          <Text c="dimmed" size="sm">
            {deliveriesTexts.lead}
          </Text>
        </Box>
        {data && (
          // A filter may come to fit a delivery that is not shown: only another search tells.
          <Freshness
            currentAt={isSearchedAgain ? search.dataUpdatedAt : current.currentAt}
            onRefresh={current.refresh}
          />
        )}
      </Group>
      <DeliveryFilters label={deliveriesTexts.filter} view={view} isAcross />
      {error && !data ? (
        <ProblemAlert title={deliveriesTexts.notLoaded} error={error} onRetry={() => void refetch()} />
      ) : (
        <StaleAlert error={error} current={current} onRetry={() => void current.refresh()} />
      )}
      {view.query === null ? (
        <NoMatch view={view} />
      ) : (
        <DeliveryList
          label={deliveriesTexts.title}
          pagesLabel={deliveriesTexts.pages}
          selectionName="deliveries"
          search={search}
          query={[view.query, view.recentMs]}
          askedAt={current.askedAt}
          view={view}
          heading={heading}
          maxRows={PAGE_SIZE}
          isAcross
        >
          <EmptyNotice
            icon={<IconInbox size={32} />}
            title={deliveriesTexts.empty}
            text={deliveriesTexts.emptyAdvice}
          />
        </DeliveryList>
      )}
    </Stack>
  );
}

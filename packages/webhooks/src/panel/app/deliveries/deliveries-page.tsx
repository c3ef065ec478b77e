import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useRef } from 'react';
import { isByResult, useActivity, useDeliverySearch } from '../api/delivery-pages.ts';
import { useCurrent } from '../api/refresh.ts';
import { DeliveryList } from '../delivery/delivery-list.tsx';
import { Freshness } from '../page/freshness.tsx';
import { usePageTitle } from '../page/page-title.ts';
import { StaleAlert } from '../page/stale-alert.tsx';
import { fill } from '../texts/host-texts.ts';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { RANGES } from './activity/activity-bars.ts';
import { ActivityTime } from './activity/activity-time.tsx';
import { deliveriesTexts } from './deliveries-texts.ts';
import { countsOf, PAGE_SIZE, useDeliveriesView } from './deliveries-view.ts';
import { DeliveryFilters } from './delivery-filters.tsx';

/** The deliveries of all webhooks, newest first: by id, or by what they have in common. */
export function DeliveriesPage() {
  usePageTitle(fill(uiTexts.pageTitle, { page: uiTexts.deliveries }));
  const view = useDeliveriesView();
  const { webhook, tenant, range } = view.filters;
  const webhookId = webhook === '' ? null : Number(webhook);
  const activity = useActivity(webhookId, RANGES[range || 'day'].hours, tenant);
  const hours = activity.data?.activity;
  const heading = useRef<HTMLHeadingElement>(null);
  const pages = useDeliverySearch(view.query, view.hours);
  const { error, refetch, dataUpdatedAt } = pages.search;
  const data = view.query === null ? undefined : pages.search.data;
  const isEmpty = !view.isFiltered && view.cursor === '' && data?.deliveries.length === 0;
  const watched = data?.deliveries.map((delivery) => delivery.webhook_id) ?? [];
  const current = useCurrent(null, [...new Set([...(webhookId === null ? [] : [webhookId]), ...watched])]);
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
            currentAt={view.query && isByResult(view.query) ? dataUpdatedAt : current.currentAt}
            onRefresh={current.refresh}
          />
        )}
      </Group>
      <div>
        <DeliveryFilters label={deliveriesTexts.filter} view={view} counts={countsOf(hours, view)} />
        {!isEmpty && (
          <ActivityTime activity={hours} view={view} hasPlace={hours !== undefined || !activity.error} />
        )}
      </div>
      {error && !data ? (
        <ProblemAlert title={deliveriesTexts.notLoaded} error={error} onRetry={() => void refetch()} />
      ) : (
        <StaleAlert error={error} current={current} onRetry={() => void current.refresh()} />
      )}
      <DeliveryList
        label={deliveriesTexts.title}
        pagesLabel={deliveriesTexts.pages}
        selectionName="deliveries"
        pages={pages}
        askedAt={current.askedAt}
        view={view}
        heading={heading}
        maxRows={PAGE_SIZE}
      >
        <EmptyNotice
          icon={<IconInbox size={32} />}
          title={deliveriesTexts.empty}
          text={deliveriesTexts.emptyAdvice}
        />
      </DeliveryList>
    </Stack>
  );
}

import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconFilterOff, IconInbox } from '@tabler/icons-react';
import { useRef } from 'react';
import { isByResult, useCurrent, useDeliverySearch } from '../api/webhook-queries.ts';
import { Freshness } from '../page/freshness.tsx';
import { usePageTitle } from '../page/page-title.ts';
import { StaleAlert } from '../page/stale-alert.tsx';
import { CursorPager } from '../paging/cursor-pager.tsx';
import { StoppedSearch } from '../paging/stopped-search.tsx';
import { SelectionBar } from '../selection/selection-bar.tsx';
import { useSelection } from '../selection/selections.tsx';
import { fill } from '../texts/host-texts.ts';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { NewRows, useHeldRows } from '../ui/held-rows.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { DeliveriesFilters } from './deliveries-filters.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { deliveriesTexts } from './deliveries-texts.ts';
import { type DeliveriesView, useDeliveriesView } from './deliveries-view.ts';

/** The deliveries of all webhooks, newest first: by id, or by what they have in common. */
export function DeliveriesPage() {
  usePageTitle(fill(uiTexts.pageTitle, { page: uiTexts.deliveries }));
  const view = useDeliveriesView();
  const heading = useRef<HTMLHeadingElement>(null);
  const search = useDeliverySearch(view.query, view.recentMs);
  const { error, isPending, isPlaceholderData, refetch } = search;
  const data = view.query === null ? undefined : search.data;
  const created = useCurrent(null);
  const selection = useSelection('deliveries');
  const held = useHeldRows({
    read: { data, isPlaceholderData, dataUpdatedAt: search.dataUpdatedAt },
    query: [view.query, view.recentMs],
    askedAt: created.askedAt,
    isSelected: selection.selected.size > 0,
  });
  const deliveries = held.shown;
  const shown = useCurrent([...new Set(deliveries.map((delivery) => delivery.webhook_id))]);
  const changesAt = Math.min(created.currentAt, shown.currentAt || created.currentAt);
  const isSearchedAgain = view.query !== null && isByResult(view.query);
  const refresh = async () => void (await Promise.all([created.refresh(), shown.refresh()]));

  const turn = (move: () => void) => {
    move();
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  };
  const next = data?.next_cursor ?? null;
  const toOlder = (cursor: string) => turn(() => view.toOlder(cursor));
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
          <Freshness currentAt={isSearchedAgain ? search.dataUpdatedAt : changesAt} onRefresh={refresh} />
        )}
      </Group>
      <DeliveriesFilters view={view} />
      {error && !data ? (
        <ProblemAlert title={deliveriesTexts.notLoaded} error={error} onRetry={() => void refetch()} />
      ) : (
        <StaleAlert error={error} current={created} onRetry={() => void refresh()} />
      )}
      <SelectionBar selection={selection} actions={['redeliver']} />
      {view.query !== null && (isPending || deliveries.length > 0) && (
        <div>
          <NewRows held={held} />
          <DeliveriesTable
            selection={selection}
            deliveries={deliveries}
            isLoading={isPending}
            isStale={isPlaceholderData}
          />
        </div>
      )}
      {(data || view.query === null) && deliveries.length === 0 && next === null && (
        <NoDeliveries view={view} />
      )}
      {data?.scanned_until && next !== null && (
        <StoppedSearch at={data.scanned_until} onGoOn={() => toOlder(next)} />
      )}
      <CursorPager
        label={deliveriesTexts.pages}
        isFirst={view.cursor === ''}
        next={next}
        onNewer={() => turn(view.toNewer)}
        onOlder={toOlder}
      />
    </Stack>
  );
}

/** Shown if there is no delivery: none of this id, if it is one, none that matches, or none. */
function NoDeliveries({ view }: { readonly view: DeliveriesView }) {
  if (!view.isFiltered && view.cursor === '') {
    return (
      <EmptyNotice
        icon={<IconInbox size={32} />}
        title={deliveriesTexts.empty}
        text={deliveriesTexts.emptyAdvice}
      />
    );
  }
  const isById = view.filters.id !== '';
  const kind = isById ? 'noSuchId' : 'noMatch';
  return (
    <EmptyNotice
      icon={<IconFilterOff size={32} />}
      title={deliveriesTexts[view.query === null ? 'noId' : kind]}
      text={view.query === null ? deliveriesTexts.idMalformed : deliveriesTexts[`${kind}Advice`]}
    >
      <Button variant="default" onClick={view.clear}>
        {deliveriesTexts.showAll}
      </Button>
    </EmptyNotice>
  );
}

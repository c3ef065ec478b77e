import { Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useApi } from '../api/api-context.ts';
import type { ListedWebhook, WebhookPage } from '../api/records.ts';
import { useCurrent } from '../api/refresh.ts';
import { isByHealth, useWebhookList } from '../api/webhook-queries.ts';
import { useEditedWebhook } from '../form/edited-webhook.ts';
import { Freshness } from '../page/freshness.tsx';
import { usePageTitle } from '../page/page-title.ts';
import { StaleAlert } from '../page/stale-alert.tsx';
import type { Matching } from '../selection/select-matching.tsx';
import { useSelection } from '../selection/selections.tsx';
import { HeldList, useHeldRows } from '../ui/held-rows.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { isForbiddenAccount, ProblemAlert } from '../ui/problem-alert.tsx';
import { ListFilters } from './list-filters.tsx';
import { type ListState, useListState } from './list-state.ts';
import { listTexts } from './list-texts.ts';
import { selectableWebhook, WebhookTable } from './webhook-table.tsx';

// At the end of the page: the list does not wait for it.
const ExplainSection = lazyComponent(
  async () => (await import('./later-parts.ts')).ExplainSection,
  <Skeleton height={150} />,
);
const NoWebhooks = lazyComponent(async () => (await import('./later-parts.ts')).NoWebhooks);
const SelectionBar = lazyComponent(async () => (await import('./later-parts.ts')).SelectionBar);
const ListPager = lazyComponent(async () => (await import('./later-parts.ts')).ListPager);
const OverviewSection = lazyComponent(
  async () => (await import('./later-parts.ts')).OverviewSection,
  <OverviewPlace />,
);
const SetupPage = lazyComponent(async () => (await import('../first-visit/setup-page.tsx')).SetupPage);
const CreateDialog = lazyComponent(async () => (await import('../form/create-dialog.tsx')).CreateDialog);
const EditDialog = lazyComponent(async () => (await import('../form/edit-dialog.tsx')).EditDialog);
const DeleteDialog = lazyComponent(async () => (await import('./delete-dialog.tsx')).DeleteDialog);

const SELECTION_ACTIONS = ['pause', 'activate', 'delete'] as const;

/** The list of webhooks; in its place, what is left of setting up the first one. */
export function ListPage() {
  const [parameters] = useSearchParams();
  const setup = parameters.get('setup') ?? '';
  return /^[1-9]\d{0,15}$/.test(setup) ? <SetupPage webhookId={Number(setup)} /> : <WebhookList />;
}

/** The list, with search and actions. */
function WebhookList() {
  usePageTitle(listTexts.title);
  const { isReadOnly } = useApi();
  const list = useListState();
  const read = useWebhookList(list.query);
  const { data, dataUpdatedAt, error, isPending, isPlaceholderData, refetch } = read;
  // Where there is none, a new one is waited for. A list by health is read again anyway.
  const isWaiting = data?.total === 0 && !isByHealth(list.query);
  const ids = isWaiting ? null : (data?.webhooks.map(({ id }) => id) ?? []);
  const current = useCurrent(ids);
  const { editedId, edit, stopEditing } = useEditedWebhook();
  const selection = useSelection('webhooks');
  const { deleted, setDeleted, end, goneIds } = useDeletion();
  const hasMore = data !== undefined && data.total > data.webhooks.length;
  const held = useHeldRows<ListedWebhook>({
    rows: data?.webhooks,
    keyOf: ({ id }) => id,
    read,
    query: list.query,
    askedAt: current.askedAt,
    isSelected: selection.selected.size > 0,
    // One that is not among all of them was deleted, and one that was filtered may fit no more.
    // Otherwise it may have moved to another page.
    isGone: ({ id }) => goneIds.includes(id) || !hasMore || list.isFiltered,
  });
  const matching = useMatching(list, data?.total ?? 0);
  const isPastEnd = useLastPage(isPlaceholderData ? undefined : data, list);
  // An account without permission gets nothing that would be refused.
  const isRefused = !data && isForbiddenAccount(error);
  const isEmpty = data?.total === 0 && !list.isFiltered;
  const hasList = !isRefused && !isEmpty;

  return (
    <Stack gap="lg">
      <PageHeading canAdd={(data ? !isEmpty : !error) && !isReadOnly} onAdd={() => list.setCreating(true)}>
        {data && (
          <Freshness
            currentAt={isByHealth(list.query) ? dataUpdatedAt : current.currentAt}
            onRefresh={current.refresh}
          />
        )}
      </PageHeading>
      {hasList && (data ? <OverviewSection /> : <OverviewPlace />)}
      {hasList && <ListFilters state={list} isCounting={data !== undefined} />}
      {error && !data ? (
        <ProblemAlert title={listTexts.notLoaded} error={error} onRetry={refetch} />
      ) : (
        <>
          <StaleAlert error={error} current={current} onRetry={current.refresh} />
          <SelectionBar
            selection={selection}
            actions={SELECTION_ACTIONS}
            onDone={(action, keys) => action === 'delete' && end(keys.map(Number))}
            {...(hasMore && { matching })}
          />
          {data?.total === 0 ? (
            <NoWebhooks list={list} />
          ) : (
            <HeldList held={held}>
              <WebhookTable
                list={list}
                selection={selection}
                webhooks={held.shown}
                isLoading={isPending}
                isStale={isPlaceholderData || isPastEnd}
                onEdit={({ id }) => edit(id)}
                onDelete={setDeleted}
              />
            </HeldList>
          )}
          {data && <ListPager label={listTexts.pages} page={data} onOffset={list.setOffset} />}
        </>
      )}
      {data && hasList && <ExplainSection search={list.search} />}

      {/* An answer has told whose draft this is. */}
      {data && list.isCreating && !isReadOnly && <CreateDialog onClose={() => list.setCreating(false)} />}
      {editedId !== null && <EditDialog key={editedId} webhookId={editedId} onClose={stopEditing} />}
      {deleted && (
        <DeleteDialog
          webhook={deleted}
          onClose={() => setDeleted(null)}
          onDeleted={() => end([deleted.id])}
        />
      )}
    </Stack>
  );
}

/** As high as an overview that finds nothing wrong: the list does not move when it comes. */
function OverviewPlace() {
  return <div className="overview" />;
}

/** The webhook that is about to be deleted, and those that were deleted here. */
function useDeletion() {
  const [deleted, setDeleted] = useState<ListedWebhook | null>(null);
  const [goneIds, setGoneIds] = useState<readonly number[]>([]);
  const end = (gone: readonly number[]) => {
    setGoneIds((ids) => [...ids, ...gone]);
    setDeleted((current) => (gone.includes(current?.id ?? 0) ? null : current));
  };
  return { deleted, setDeleted, end, goneIds };
}

/** All webhooks that the filters choose, in an order that lasts. */
function useMatching(list: ListState, total: number): Matching {
  const { request } = useApi();
  return {
    key: JSON.stringify([list.search, list.level, list.activity]),
    total,
    async read(cursor) {
      const offset = Number(cursor);
      const query = { ...list.query, sort: 'id', order: 'asc', limit: 100, offset } as const;
      const { webhooks, total } = await request('GET', '', { query });
      const next = offset + webhooks.length;
      return {
        items: webhooks.map(selectableWebhook),
        next: offset < next && next < total ? String(next) : null,
      };
    },
  };
}

interface PageHeadingProps {
  readonly canAdd: boolean;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}

function PageHeading({ canAdd, onAdd, children }: PageHeadingProps) {
  return (
    <Group justify="space-between" align="flex-start">
      <Box flex="1 1 280px">
        <Title order={1} size="h2">
          {listTexts.title}
        </Title>
        <Text c="dimmed" size="sm">
          {listTexts.lead}
        </Text>
      </Box>
      <Group gap="sm">
        {children}
        {canAdd && (
          <Button leftSection={<IconPlus size={18} />} onClick={onAdd}>
            {listTexts.add}
          </Button>
        )}
      </Group>
    </Group>
  );
}

/**
 * Goes to the last page if the current one no longer exists: its last webhook was deleted, or the
 * address is old.
 */
function useLastPage(page: WebhookPage | undefined, list: ListState): boolean {
  const isPastEnd = page !== undefined && page.total > 0 && page.offset >= page.total;
  const { total = 0, limit = 1 } = page ?? {};
  const last = Math.floor((total - 1) / limit) * limit;
  const { setOffset } = list;
  const go = useEffectEvent(() => setOffset(last, true));
  useEffect(() => {
    if (isPastEnd) go();
  }, [isPastEnd]);
  return isPastEnd;
}

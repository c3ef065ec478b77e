import { Alert, Button, Group, Text } from '@mantine/core';
import { IconFilterOff, IconSearch } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react';
import type { DeliveryPages } from '../api/delivery-pages.ts';
import { deliveriesTexts } from '../deliveries/deliveries-texts.ts';
import type { DeliveriesView } from '../deliveries/deliveries-view.ts';
import { fieldMessage } from '../messages/problem-message.ts';
import { SelectionBar } from '../selection/selection-bar.tsx';
import { selectableDelivery, useSelection } from '../selection/selections.tsx';
import { DataTable } from '../table/data-table.tsx';
import { fillNodes } from '../texts/fill-nodes.tsx';
import { fill } from '../texts/host-texts.ts';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { HeldList, useHeldRows } from '../ui/held-rows.tsx';
import { Instant } from '../ui/instant.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { useDeliveryColumns } from './delivery-columns.tsx';

/** How many deliveries the API reads for a part of a page. */
const PART = 5_000;

interface DeliveryListProps {
  readonly label: string;
  /** The name of the navigation between its pages. */
  readonly pagesLabel: string;
  /** The name of what is selected in it. */
  readonly selectionName: string;
  readonly pages: DeliveryPages;
  /** When the user last asked for the page to be read again. */
  readonly askedAt: number;
  readonly view: DeliveriesView;
  /** What a page begins with. */
  readonly heading: RefObject<HTMLElement | null>;
  /** How many rows a page has at most. */
  readonly maxRows: number;
  /** What stands there before there is any. */
  readonly children: ReactNode;
}

/** Deliveries, newest first, which hold while they are read, with the pages and the selection. */
export function DeliveryList(props: DeliveryListProps) {
  const { label, pages, view, heading, maxRows } = props;
  const { data, error, isFetching, isPending, isPlaceholderData } = pages.search;
  const selection = useSelection(props.selectionName);
  const held = useHeldRows({
    rows: data?.deliveries,
    keyOf: (row) => row.delivery_id,
    read: pages.search,
    query: [view.query, view.hours],
    askedAt: props.askedAt,
    isSelected: selection.selected.size > 0,
  });
  const table = useDeliveryColumns(view.isAcross);
  const deliveries = held.shown;
  const next = data?.next_cursor ?? null;
  const isFirst = view.cursor === '';
  const turn = (move: () => void) => {
    move();
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  };
  // One of another list, or of none.
  const isNoCursor = !isFirst && fieldMessage(error, 'cursor') !== null;
  const toFirst = useEffectEvent(() => view.narrow({}));
  useEffect(() => {
    if (isNoCursor) toFirst();
  }, [isNoCursor]);
  const toOlder = () => next !== null && turn(() => view.toOlder(next));
  if (view.query === null) return <NoMatch view={view} />;
  return (
    <>
      <SelectionBar
        selection={selection}
        actions={['redeliver']}
        {...(next !== null && { matching: pages.matching })}
      />
      {(isPending || deliveries.length > 0) && (
        <HeldList held={held}>
          <DataTable
            {...table}
            label={label}
            selection={selection}
            rows={deliveries}
            itemOf={selectableDelivery}
            isLoading={isPending}
            loadingRows={maxRows}
            rowHeight={25}
            isStale={isPlaceholderData}
          />
        </HeldList>
      )}
      {data &&
        deliveries.length === 0 &&
        next === null &&
        (view.isFiltered || !isFirst ? <NoMatch view={view} /> : props.children)}
      {data?.scanned_until && next !== null && (
        <Alert
          color="indigo"
          icon={<IconSearch />}
          title={fillNodes(deliveriesTexts.stoppedTitle, { time: <Instant at={data.scanned_until} /> })}
        >
          <Text size="sm">
            {isFetching
              ? fill(deliveriesTexts.searching, { count: data.parts * PART })
              : deliveriesTexts.stopped}
          </Text>
          {isFetching && (
            <progress
              className="selection-progress"
              aria-label={deliveriesTexts.searchProgress}
              value={view.shareUntil(data.scanned_until) ?? undefined}
            />
          )}
          <Group mt="sm">
            <Button size="xs" variant="default" onClick={isFetching ? pages.stop : toOlder}>
              {isFetching ? deliveriesTexts.stopSearch : deliveriesTexts.goOn}
            </Button>
          </Group>
        </Alert>
      )}
      {!(isFirst && next === null) && (
        <Group component="nav" aria-label={props.pagesLabel} justify="flex-end" gap="xs" mt="sm">
          <Button variant="default" size="sm" disabled={isFirst} onClick={() => turn(view.toNewer)}>
            {uiTexts.newer}
          </Button>
          <Button variant="default" size="sm" disabled={next === null} onClick={toOlder}>
            {uiTexts.older}
          </Button>
        </Group>
      )}
    </>
  );
}

/** Shown if there is none of this id, if it is one, or none that matches. */
function NoMatch({ view }: { readonly view: DeliveriesView }) {
  const ofId = view.query === null ? 'noId' : 'noSuchId';
  const kind = view.filters.id === '' ? 'noMatch' : ofId;
  return (
    <EmptyNotice
      icon={<IconFilterOff size={32} />}
      title={deliveriesTexts[kind]}
      text={kind === 'noId' ? deliveriesTexts.idMalformed : deliveriesTexts[`${kind}Advice`]}
    >
      <Button variant="default" onClick={view.clear}>
        {deliveriesTexts.showAll}
      </Button>
    </EmptyNotice>
  );
}

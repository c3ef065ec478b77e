import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode, RefObject } from 'react';
import type { DeliverySummary } from '../api/records.ts';
import type { useDeliverySearch, useHistory } from '../api/webhook-queries.ts';
import { deliveriesTexts } from '../deliveries/deliveries-texts.ts';
import type { DeliveriesView } from '../deliveries/deliveries-view.ts';
import { CursorPager } from '../paging/cursor-pager.tsx';
import { StoppedSearch } from '../paging/stopped-search.tsx';
import { SelectionBar } from '../selection/selection-bar.tsx';
import { useSelection } from '../selection/selections.tsx';
import { EmptyNotice } from '../ui/empty-notice.tsx';
import { HeldList, useHeldRows } from '../ui/held-rows.tsx';
import { DeliveryTable } from './delivery-table.tsx';

interface DeliveryListProps {
  readonly label: string;
  /** The name of the navigation between its pages. */
  readonly pagesLabel: string;
  /** The name of what is selected in it. */
  readonly selectionName: string;
  readonly search: ReturnType<typeof useDeliverySearch> | ReturnType<typeof useHistory>;
  /** What was asked for. */
  readonly query: unknown;
  /** When the user last asked for the page to be read again. */
  readonly askedAt: number;
  readonly view: DeliveriesView;
  /** What a page begins with. */
  readonly heading: RefObject<HTMLElement | null>;
  /** How many rows a page has at most. */
  readonly maxRows: number;
  /** Whether they are of several webhooks. Default: false. */
  readonly isAcross?: boolean;
  /** What stands there before there is any. */
  readonly children: ReactNode;
}

/** Deliveries, newest first, which hold while they are read, with the pages and the selection. */
export function DeliveryList(props: DeliveryListProps) {
  const { label, search, view, heading, maxRows, isAcross = false } = props;
  const { data, isPending, isPlaceholderData } = search;
  const selection = useSelection(props.selectionName);
  const held = useHeldRows<DeliverySummary>({
    rows: data?.deliveries,
    keyOf: (row) => row.delivery_id,
    read: search,
    query: props.query,
    askedAt: props.askedAt,
    isSelected: selection.selected.size > 0,
  });
  const deliveries = held.shown;
  const next = data?.next_cursor ?? null;
  const turn = (move: () => void) => {
    move();
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  };
  const toOlder = (cursor: string) => turn(() => view.toOlder(cursor));
  return (
    <>
      <SelectionBar selection={selection} actions={['redeliver']} />
      {(isPending || deliveries.length > 0) && (
        <HeldList held={held}>
          <DeliveryTable
            label={label}
            selection={selection}
            deliveries={deliveries}
            isAcross={isAcross}
            loadingRows={isPending ? maxRows : 0}
            isStale={isPlaceholderData}
          />
        </HeldList>
      )}
      {data &&
        deliveries.length === 0 &&
        next === null &&
        (view.isFiltered || view.cursor !== '' ? <NoMatch view={view} /> : props.children)}
      {data?.scanned_until && next !== null && (
        <StoppedSearch at={data.scanned_until} onGoOn={() => toOlder(next)} />
      )}
      <CursorPager
        label={props.pagesLabel}
        isFirst={view.cursor === ''}
        next={next}
        onNewer={() => turn(view.toNewer)}
        onOlder={toOlder}
      />
    </>
  );
}

/** Shown if there is none of this id, if it is one, or none that matches. */
export function NoMatch({ view }: { readonly view: DeliveriesView }) {
  const kind = view.filters.id === '' ? 'noMatch' : 'noSuchId';
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

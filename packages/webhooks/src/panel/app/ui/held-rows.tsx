import { Button } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useOpenDelivery } from '../delivery/open-delivery.ts';
import { fill } from '../texts/host-texts.ts';
import { uiTexts } from './ui-texts.ts';

interface LiveList<Row> {
  /** Undefined until they are read. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string | number;
  /** How the list was read. */
  readonly read: { readonly isPlaceholderData: boolean; readonly dataUpdatedAt: number };
  /** What was asked for: the answer to another question is never held. */
  readonly query: unknown;
  /** When the user last asked for the page to be read again, as milliseconds since 1970. */
  readonly askedAt: number;
  readonly isSelected: boolean;
  /**
   * Whether a row that was not read any more is gone for good, and goes at once. Default: it is
   * elsewhere.
   */
  readonly isGone?: (row: Row) => boolean;
}

/** Rows that stay where they are while somebody reads them. */
export interface HeldRows<Row> {
  readonly shown: readonly Row[];
  /** How many rows there are that are not shown. */
  readonly fresh: number;
  readonly isWholePage: boolean;
  /** What has the list in it. */
  readonly frame: RefObject<HTMLDivElement | null>;
  release(): void;
}

const NO_ROWS: readonly never[] = [];

/**
 * Holds a list that is read again while a delivery is open, a row is selected or has the keyboard's
 * focus, or the list's beginning is scrolled out of sight: the same rows in the same order, each as
 * it is now.
 */
export function useHeldRows<Row>(list: LiveList<Row>): HeldRows<Row> {
  const { rows = NO_ROWS, keyOf, read, askedAt, isSelected, isGone } = list;
  const { openId } = useOpenDelivery();
  const view = JSON.stringify(list.query);
  const [held, setHeld] = useState({ view: '', rows, at: 0 });
  const { frame, isRead } = useReading();
  const keys = new Set(held.rows.map(keyOf));
  const unseen = rows.filter((row) => !keys.has(keyOf(row)));
  const isFree =
    view !== held.view ||
    !(isSelected || openId !== null || isRead) ||
    (askedAt > held.at && read.dataUpdatedAt >= askedAt);
  const take = () => setHeld({ view, rows, at: read.dataUpdatedAt });
  const isCurrent = list.rows !== undefined && !read.isPlaceholderData;
  if (isFree && isCurrent && (rows !== held.rows || view !== held.view)) take();
  const latest = new Map(rows.map((row) => [keyOf(row), row]));
  const kept = held.rows.flatMap((row) => latest.get(keyOf(row)) ?? (isGone?.(row) ? [] : [row]));
  return {
    shown: isFree ? rows : kept,
    fresh: isFree ? 0 : unseen.length,
    isWholePage: unseen.length === rows.length,
    frame,
    release() {
      take();
      frame.current?.scrollIntoView({ block: 'nearest' });
    },
  };
}

/** Whether a list is scrolled past its beginning, or the keyboard is in it. */
function useReading() {
  const frame = useRef<HTMLDivElement>(null);
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    const look = (event: Event) => {
      const list = frame.current;
      if (list === null) return;
      const next = event instanceof FocusEvent && event.type === 'focusout' ? event.relatedTarget : null;
      // The focus stays in the list, or is about to come into it.
      if (next instanceof Node && list.contains(next)) return;
      const isLeft = event.type === 'focusout' || list.querySelector(':focus-visible') === null;
      setRead(!isLeft || list.getBoundingClientRect().top < 0);
    };
    const events = ['scroll', 'focusin', 'focusout'];
    for (const event of events) addEventListener(event, look, { passive: true });
    return () => {
      for (const event of events) removeEventListener(event, look);
    };
  }, []);
  return { frame, isRead };
}

interface HeldListProps {
  readonly held: Pick<HeldRows<unknown>, 'frame' | 'fresh' | 'isWholePage' | 'release'>;
  readonly children: ReactNode;
}

/** A list, and before it how many new rows there are while it is held. */
export function HeldList({ held, children }: HeldListProps) {
  const { fresh: count, isWholePage } = held;
  return (
    <div ref={held.frame}>
      <div className="new-rows" role="status">
        {count > 0 && (
          <Button size="compact-sm" onClick={held.release}>
            {fill(isWholePage ? uiTexts.manyNew : uiTexts.new, { count })}
          </Button>
        )}
      </div>
      {children}
    </div>
  );
}

import { Button } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { fill } from '../texts/host-texts.ts';
import { uiTexts } from './ui-texts.ts';

interface Row {
  readonly delivery_id: string;
}

interface LiveList<R extends Row> {
  /** How the list was read. */
  readonly read: {
    readonly data?: { readonly deliveries: readonly R[] } | undefined;
    readonly isPlaceholderData: boolean;
    readonly dataUpdatedAt: number;
  };
  /** What was asked for: the answer to another question is never held. */
  readonly query: unknown;
  /** When the user last asked for the page to be read again, as milliseconds since 1970. */
  readonly askedAt: number;
  readonly isSelected: boolean;
  /** The one that is open: it is shown as soon as it is there. */
  readonly openId?: string | null;
}

/** Rows that stay where they are while somebody reads them. */
export interface HeldRows<R extends Row> {
  readonly shown: readonly R[];
  /** How many rows there are that are not shown. */
  readonly fresh: number;
  readonly isWholePage: boolean;
  /** Where the list begins. */
  readonly start: RefObject<HTMLDivElement | null>;
  release(): void;
}

const NO_ROWS: readonly never[] = [];

/**
 * Holds a list that is read again while one of its deliveries is open or selected, or its beginning
 * is scrolled out of sight: the same rows in the same order, each as it is now.
 */
export function useHeldRows<R extends Row>(list: LiveList<R>): HeldRows<R> {
  const { read, askedAt, isSelected, openId = null } = list;
  const rows = read.data?.deliveries ?? NO_ROWS;
  const view = JSON.stringify(list.query);
  const [held, setHeld] = useState({ view: '', rows, at: 0 });
  const { start, isScrolled } = useScrolledPast();
  const keys = new Set(held.rows.map((row) => row.delivery_id));
  const unseen = rows.filter((row) => !keys.has(row.delivery_id));
  const isFree =
    view !== held.view ||
    !(isSelected || openId !== null || isScrolled) ||
    unseen.some((row) => row.delivery_id === openId) ||
    (askedAt > held.at && read.dataUpdatedAt >= askedAt);
  const take = () => setHeld({ view, rows, at: read.dataUpdatedAt });
  const isRead = read.data !== undefined && !read.isPlaceholderData;
  if (isFree && isRead && (rows !== held.rows || view !== held.view)) take();
  const latest = new Map(rows.map((row) => [row.delivery_id, row]));
  return {
    shown: isFree ? rows : held.rows.map((row) => latest.get(row.delivery_id) ?? row),
    fresh: isFree ? 0 : unseen.length,
    isWholePage: unseen.length === rows.length,
    start,
    release() {
      take();
      start.current?.scrollIntoView({ block: 'nearest' });
    },
  };
}

function useScrolledPast() {
  const start = useRef<HTMLDivElement>(null);
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled((start.current?.getBoundingClientRect().top ?? 0) < 0);
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return { start, isScrolled };
}

/** Stands before the rows, and says how many new ones there are while they are held. */
export function NewRows({ held }: { readonly held: HeldRows<Row> }) {
  const { fresh: count, isWholePage } = held;
  return (
    <>
      <div ref={held.start} />
      <div className="new-rows" role="status">
        {count > 0 && (
          <Button size="compact-sm" onClick={held.release}>
            {fill(isWholePage ? uiTexts.manyNew : uiTexts.new, { count })}
          </Button>
        )}
      </div>
    </>
  );
}

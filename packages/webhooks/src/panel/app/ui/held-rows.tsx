import { Button } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { fill } from '../texts/host-texts.ts';
import { uiTexts } from './ui-texts.ts';

interface LiveRows<Row> {
  /** As they were last read; undefined before. The same array until they are others. */
  readonly rows: readonly Row[] | undefined;
  /** Those of another query are never held. */
  readonly view: string;
  /** When they were read, and when the user last asked for that, as milliseconds since 1970. */
  readonly updatedAt: number;
  readonly askedAt: number;
  /** Whether one of them is open or selected. */
  readonly isInUse: boolean;
  /** The one that is open: it is shown as soon as there is one of this key. */
  readonly openKey?: string | null;
}

/** Rows that stay where they are while somebody reads them. */
export interface HeldRows<Row> {
  readonly shown: readonly Row[];
  /** How many rows there are that are not shown. */
  readonly fresh: number;
  readonly isWholePage: boolean;
  /** Where the list begins. */
  readonly start: RefObject<HTMLDivElement | null>;
  release(): void;
}

const NO_ROWS: readonly never[] = [];

/**
 * Holds a list that is read again while one of its rows is open or selected, or its beginning is
 * scrolled out of sight: the same rows in the same order, each as it is now.
 */
export function useHeldRows<Row>(live: LiveRows<Row>, keyOf: (row: Row) => string): HeldRows<Row> {
  const { rows = NO_ROWS, view, updatedAt, askedAt, isInUse, openKey = null } = live;
  const [held, setHeld] = useState({ view: '', rows, at: 0 });
  const { start, isScrolled } = useScrolledPast();
  const keys = new Set(held.rows.map(keyOf));
  const isNew = (row: Row) => !keys.has(keyOf(row));
  const isOpenNew = rows.some((row) => keyOf(row) === openKey && isNew(row));
  const isAsked = askedAt > held.at && updatedAt >= askedAt;
  const isFree = view !== held.view || !(isInUse || isScrolled) || isOpenNew || isAsked;
  const release = () => setHeld({ view, rows, at: updatedAt });
  if (isFree && live.rows !== undefined && (rows !== held.rows || view !== held.view)) release();
  if (isFree) return { shown: rows, fresh: 0, isWholePage: false, start, release };
  const latest = new Map(rows.map((row) => [keyOf(row), row]));
  const fresh = rows.filter(isNew).length;
  return {
    shown: held.rows.map((row) => latest.get(keyOf(row)) ?? row),
    fresh,
    isWholePage: fresh === rows.length,
    start,
    release() {
      release();
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
export function NewRows({ held }: { readonly held: HeldRows<unknown> }) {
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

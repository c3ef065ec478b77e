import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { fill } from '../texts/host-texts.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { selectionTexts } from './selection-texts.ts';
import { MAX_SELECTED, type Selectable, type Selection } from './selections.tsx';

/** All that a list has, whatever page of it is shown. */
export interface Matching {
  /** Null where nobody counts them. */
  readonly total: number | null;
  /** Reads as many as one request gives, from the beginning for '', and where to go on. */
  read(cursor: string): Promise<{ readonly items: readonly Selectable[]; readonly next: string | null }>;
}

interface SelectMatchingProps {
  readonly selection: Selection;
  readonly matching: Matching;
}

/** Selects what matches, page by page, until it is stopped. */
export function SelectMatching({ selection, matching: { total, read } }: SelectMatchingProps) {
  const announce = useAnnounce();
  const isStopped = useRef(false);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      isStopped.current = false;
      let count = 0;
      for (let cursor: string | null = ''; cursor !== null && count < MAX_SELECTED; ) {
        const { items, next } = await read(cursor);
        if (isStopped.current) return;
        selection.select(items, true);
        count += items.length;
        cursor = next;
      }
    },
    onError: () => announce({ kind: 'bad', text: selectionTexts.notAll }),
  });
  const stop = useCallback(() => {
    isStopped.current = true;
  }, []);
  // The selection has ended.
  useEffect(() => stop, [stop]);
  if (!isPending && (selection.isFull || (total !== null && total <= selection.selected.size))) return null;
  return (
    <Button variant="subtle" size="compact-sm" onClick={isPending ? stop : () => mutate()}>
      {isPending && selectionTexts.stop}
      {!isPending && (total === null ? selectionTexts.all : fill(selectionTexts.allOf, { count: total }))}
    </Button>
  );
}

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useStoppable } from '../api/stoppable.ts';
import { fill } from '../texts/host-texts.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { selectionTexts } from './selection-texts.ts';
import { MAX_SELECTED, type Selectable, type Selection } from './selections.tsx';

/** All that a list has, whatever page of it is shown. */
export interface Matching {
  /** What was asked for: others match another question. */
  readonly key: string;
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
export function SelectMatching({ selection, matching: { key, total, read } }: SelectMatchingProps) {
  const announce = useAnnounce();
  const { mustStop, begin, stop } = useStoppable();
  const [taken, setTaken] = useState<{ key: string; keys: readonly string[] } | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const keys: string[] = [];
      for (let cursor: string | null = ''; cursor !== null && keys.length < MAX_SELECTED; ) {
        const { items, next } = await read(cursor);
        if (mustStop.current) return;
        selection.select(items, true);
        keys.push(...items.map((item) => item.key));
        cursor = next;
      }
      setTaken({ key, keys });
    },
    onMutate: begin,
    onError: () => announce(selectionTexts.notAll, 'bad'),
  });
  const isTaken =
    taken?.key === key &&
    taken.keys.length >= (total ?? 0) &&
    taken.keys.every((one) => selection.selected.has(one));
  if (!isPending && (selection.isFull || isTaken)) return null;
  return (
    <Button variant="subtle" size="compact-sm" onClick={isPending ? stop : () => mutate()}>
      {isPending && selectionTexts.stop}
      {!isPending && (total === null ? selectionTexts.all : fill(selectionTexts.allOf, { count: total }))}
    </Button>
  );
}

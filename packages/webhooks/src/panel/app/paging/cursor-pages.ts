import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { changedParameters } from '../ui/changed-parameters.ts';

const MAX_CURSOR_LENGTH = 512;

/**
 * The page of a list of deliveries, by its cursor. It is part of the address, as the filters are,
 * so that a reload and a shared link show the same.
 */
export function useCursorPages() {
  const [parameters, setParameters] = useSearchParams();
  const cursor = (parameters.get('cursor') ?? '').slice(0, MAX_CURSOR_LENGTH);
  // The cursors of the pages before. After a link there are none, and "Newer" then leads to the
  // first page.
  const [trail, setTrail] = useState<readonly string[]>([]);
  const position = trail.indexOf(cursor);

  function change(changes: Readonly<Record<string, string>>, isReplacing: boolean): void {
    setParameters((previous) => changedParameters(previous, { cursor: '', ...changes }), {
      replace: isReplacing,
    });
  }

  return {
    parameters,
    cursor,
    /** Changes the filters, and goes to the first page. */
    narrow: (filters: Readonly<Record<string, string>>) => change(filters, true),
    toNewer: () => change({ cursor: trail[position - 1] ?? '' }, false),
    toOlder: (next: string) => {
      const passed = cursor === '' ? [] : position === -1 ? [cursor] : trail.slice(0, position + 1);
      setTrail([...passed, next]);
      change({ cursor: next }, false);
    },
  };
}

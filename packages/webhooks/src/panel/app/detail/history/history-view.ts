import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { STATUS_WORDS } from '../../words/webhook-words.ts';
import { type HistoryFilterValues, MAX_EVENT_LENGTH } from './history-filters.tsx';

const MAX_CURSOR_LENGTH = 512;

/** What the history shows, kept in the address: a reload, the way back and a link to a colleague show the same. */
export function useHistoryView() {
  const [parameters, setParameters] = useSearchParams();
  const status = parameters.get('status') ?? '';
  const filters: HistoryFilterValues = {
    status: Object.hasOwn(STATUS_WORDS, status) ? status : '',
    event: (parameters.get('event') ?? '').slice(0, MAX_EVENT_LENGTH),
  };
  const cursor = (parameters.get('cursor') ?? '').slice(0, MAX_CURSOR_LENGTH);
  // The cursors that led here. Who came by a link knows none: the way to newer deliveries is then the first page.
  const [trail, setTrail] = useState<readonly string[]>([]);
  const place = trail.indexOf(cursor);

  function change(changes: Readonly<Record<string, string>>, isReplacing: boolean): void {
    setParameters(
      (previous) => {
        const next = new URLSearchParams(previous);
        for (const [name, value] of Object.entries({ cursor: '', ...changes })) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: isReplacing },
    );
  }

  return {
    filters,
    cursor,
    narrow: (values: HistoryFilterValues) => change({ ...values }, true),
    toFirst: () => change({}, true),
    toNewer: () => change({ cursor: trail[place - 1] ?? '' }, false),
    toOlder: (next: string) => {
      const passed = cursor === '' ? [] : place === -1 ? [cursor] : trail.slice(0, place + 1);
      setTrail([...passed, next]);
      change({ cursor: next }, false);
    },
  };
}

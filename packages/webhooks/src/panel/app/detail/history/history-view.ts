import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { STATUS_LABELS } from '../../messages/webhook-text.ts';
import { changedParameters } from '../../ui/changed-parameters.ts';
import { type HistoryFilterValues, MAX_EVENT_LENGTH } from './history-filters.tsx';

const MAX_CURSOR_LENGTH = 512;

/**
 * The filters and page of the history. They are part of the address, so that a reload and a shared
 * link show the same.
 */
export function useHistoryView() {
  const [parameters, setParameters] = useSearchParams();
  const status = parameters.get('status') ?? '';
  const filters: HistoryFilterValues = {
    status: Object.hasOwn(STATUS_LABELS, status) ? status : '',
    event: (parameters.get('event') ?? '').slice(0, MAX_EVENT_LENGTH),
  };
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
    filters,
    cursor,
    narrow: (values: HistoryFilterValues) => change({ ...values }, true),
    toFirst: () => change({}, true),
    toNewer: () => change({ cursor: trail[position - 1] ?? '' }, false),
    toOlder: (next: string) => {
      const passed = cursor === '' ? [] : position === -1 ? [cursor] : trail.slice(0, position + 1);
      setTrail([...passed, next]);
      change({ cursor: next }, false);
    },
  };
}

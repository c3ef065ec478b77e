import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import type { WebhookListQuery } from '../api/webhook-queries.ts';
import { isKeyOf } from '../key-of.ts';
import { tabStorage } from '../tab-storage.ts';
import type { ColumnSort } from '../table/data-table.tsx';
import { changedParameters } from '../ui/changed-parameters.ts';
import { listTexts } from './list-texts.ts';

const PAGE_SIZE = 20;
export const MAX_SEARCH_LENGTH = 200;

const LAST_SEARCH = 'list';

/** The query of the list as it was last shown in this tab, for the way back; '' for none. */
export function lastListQuery(): string {
  return tabStorage.get(LAST_SEARCH) ?? '';
}

/** The orders of the list by their name in the address. */
export const ORDERS = {
  newest: { label: listTexts.newestFirst, sort: 'id', order: 'desc' },
  oldest: { label: listTexts.oldestFirst, sort: 'id', order: 'asc' },
  changed: { label: listTexts.changedFirst, sort: 'updated_at', order: 'desc' },
  url: { label: listTexts.urlAscending, sort: 'url', order: 'asc' },
  'url-desc': { label: listTexts.urlDescending, sort: 'url', order: 'desc' },
  down: { label: listTexts.failingFirst, sort: 'level', order: 'desc' },
} as const;
type OrderName = keyof typeof ORDERS;

export const LEVELS = ['down', 'degraded', 'healthy'] as const;
export const STATES = ['active', 'paused'] as const;

export type ListState = ReturnType<typeof useListState>;

/**
 * The filters, order and page of the list. They are part of the address, so that a reload and a
 * shared link show the same.
 */
export function useListState() {
  const [parameters, setParameters] = useSearchParams();
  const textOf = (name: string) => parameters.get(name) ?? '';
  const search = textOf('search').slice(0, MAX_SEARCH_LENGTH);
  const level = LEVELS.find((name) => name === textOf('status')) ?? '';
  const activity = STATES.find((name) => name === textOf('activity')) ?? '';
  const named = textOf('order');
  const order: OrderName = isKeyOf(ORDERS, named) ? named : 'newest';
  const offset = /^\d{1,6}$/.test(textOf('offset')) ? Number(textOf('offset')) : 0;

  useEffect(() => {
    const shown = changedParameters(parameters, { edit: '', new: '' }).toString();
    tabStorage.set(LAST_SEARCH, shown === '' ? '' : `?${shown}`);
  }, [parameters]);

  /** Changes parameters, and goes to the first page unless an offset is given. */
  function change(changes: Readonly<Record<string, string>>, replace = true): void {
    setParameters((previous) => changedParameters(previous, { offset: '', ...changes }), { replace });
  }

  const setOrder = (value: string) => change({ order: value === 'newest' ? '' : value });
  const active = activity === '' ? activity : activity === 'active';
  const { sort, order: direction } = ORDERS[order];
  const query: WebhookListQuery = {
    search,
    active,
    health: level,
    sort,
    order: direction,
    limit: PAGE_SIZE,
    offset,
  };
  return {
    search,
    level,
    activity,
    order,
    isCreating: parameters.has('new'),
    isFiltered: [search, level, activity].some((filter) => filter !== ''),
    query,
    narrow: (changes: Readonly<Partial<Record<'search' | 'status' | 'activity', string>>>) => change(changes),
    setOrder,
    /** Adds an entry to the browser's history, unless it replaces the current one. */
    setOffset: (value: number, replace = false) =>
      change({ offset: value === 0 ? '' : String(value) }, replace),
    setCreating: (isCreating: boolean) =>
      change({ new: isCreating ? '1' : '', offset: offset ? String(offset) : '' }),
    clear: () => change({ search: '', status: '', activity: '' }),
    /** Orders by the head of a column: by each of these in turn, and then by none of them. */
    sortBy: (...orders: readonly OrderName[]): ColumnSort => ({
      direction: orders.includes(order) ? (direction === 'asc' ? 'ascending' : 'descending') : null,
      onToggle: () => setOrder(orders[orders.indexOf(order) + 1] ?? 'newest'),
    }),
  };
}

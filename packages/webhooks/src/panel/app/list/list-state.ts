import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import type { WebhookListQuery } from '../api/webhook-queries.ts';
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
export type OrderName = keyof typeof ORDERS;

export const LEVELS = ['down', 'degraded', 'healthy'] as const;
export const STATES = ['active', 'paused'] as const;

/**
 * The filters, order and page of the list. They are part of the address, so that a reload and a
 * shared link show the same.
 */
export interface ListState {
  readonly search: string;
  readonly level: '' | (typeof LEVELS)[number];
  readonly activity: '' | (typeof STATES)[number];
  readonly order: OrderName;
  readonly isCreating: boolean;
  readonly isFiltered: boolean;
  readonly query: WebhookListQuery;
  narrow(filters: Readonly<Partial<Record<'search' | 'status' | 'activity', string>>>): void;
  setOrder(order: string): void;
  /** Adds an entry to the browser's history, unless it replaces the current one. */
  setOffset(offset: number, isReplacing?: boolean): void;
  setCreating(isCreating: boolean): void;
  clear(): void;
  /** Orders by the head of a column: by each of these in turn, and then by none of them. */
  sortBy(...orders: readonly OrderName[]): ColumnSort;
}

export function useListState(): ListState {
  const [parameters, setParameters] = useSearchParams();
  const search = (parameters.get('search') ?? '').slice(0, MAX_SEARCH_LENGTH);
  const level = LEVELS.find((name) => name === parameters.get('status')) ?? '';
  const activity = STATES.find((name) => name === parameters.get('activity')) ?? '';
  const order = orderOf(parameters.get('order'));
  const offset = offsetOf(parameters.get('offset'));
  useEffect(() => {
    const shown = changedParameters(parameters, { edit: '', new: '' }).toString();
    tabStorage.set(LAST_SEARCH, shown === '' ? '' : `?${shown}`);
  }, [parameters]);

  /** Changes parameters, and goes to the first page unless an offset is given. */
  function change(changes: Readonly<Record<string, string>>, isReplacing = true): void {
    setParameters((previous) => changedParameters(previous, { offset: '', ...changes }), {
      replace: isReplacing,
    });
  }

  const setOrder = (value: string) => change({ order: value === 'newest' ? '' : value });
  const active = activity === '' ? activity : activity === 'active';
  const { sort, order: direction } = ORDERS[order];
  return {
    search,
    level,
    activity,
    order,
    isCreating: parameters.has('new'),
    isFiltered: [search, level, activity].some((filter) => filter !== ''),
    query: { search, active, health: level, sort, order: direction, limit: PAGE_SIZE, offset },
    narrow: (filters) => change(filters),
    setOrder,
    setOffset: (value, isReplacing = false) =>
      change({ offset: value === 0 ? '' : String(value) }, isReplacing),
    setCreating: (isCreating) => change({ new: isCreating ? '1' : '', offset: offset ? String(offset) : '' }),
    clear: () => change({ search: '', status: '', activity: '' }),
    sortBy: (...orders) => ({
      direction: orders.includes(order) ? (direction === 'asc' ? 'ascending' : 'descending') : null,
      onToggle: () => setOrder(orders[orders.indexOf(order) + 1] ?? 'newest'),
    }),
  };
}

function orderOf(value: string | null): OrderName {
  return value !== null && isOrderName(value) ? value : 'newest';
}

function isOrderName(value: string): value is OrderName {
  return Object.hasOwn(ORDERS, value);
}

function offsetOf(value: string | null): number {
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : 0;
}

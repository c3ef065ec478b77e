import { deliveryIdOf } from '../api/delivery-id.ts';
import type { DeliverySearchQuery } from '../api/webhook-queries.ts';
import { deliveryStatusOf } from '../messages/webhook-text.ts';
import { useCursorPages } from '../paging/cursor-pages.ts';

export const PAGE_SIZE = 20;
const HOUR_MS = 3_600_000;

/** The time ranges that end now, by their name in the address, in milliseconds. */
export const RECENT_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
export type RangeName = '' | keyof typeof RECENT_MS | 'custom';

/** The page of a history that is shown first. */
export const FIRST_PAGE = { status: '', event: '', from: '', to: '', cursor: '', limit: PAGE_SIZE } as const;

export const MAX_EVENT_LENGTH = 128;
/** Of a text with an id in it. */
export const MAX_ID_TEXT_LENGTH = 200;
const ERROR_CODE = /^[a-z0-9_]{1,64}$/;

/** An HTTP status, or 0 for no answer; null for any other text. */
export function httpStatusOf(text: string): number | null {
  return /^(?:0|[1-5]\d\d)$/.test(text) ? Number(text) : null;
}

const NO_FILTERS = { id: '', status: '', event: '', error: '', http: '', range: '', from: '', to: '' };
type FilterName = keyof typeof NO_FILTERS;

/** The filters and page of the deliveries across webhooks, as the address has them. */
export function useDeliveriesView(isAcross: boolean) {
  const { parameters, narrow, ...pages } = useCursorPages();
  const idText = (parameters.get('id') ?? '').trim().slice(0, MAX_ID_TEXT_LENGTH);
  const id = deliveryIdOf(idText) ?? idText;
  const status = deliveryStatusOf(parameters.get('status'));
  const event = (parameters.get('event') ?? '').slice(0, MAX_EVENT_LENGTH);
  const code = parameters.get('error') ?? '';
  const error = ERROR_CODE.test(code) ? code : '';
  const statusCode = httpStatusOf(parameters.get('http') ?? '') ?? '';
  // The range of one webhook is that of its chart.
  const range = isAcross ? rangeOf(parameters.get('range')) : 'custom';
  const from = range === 'custom' ? timeOf(parameters.get('from')) : '';
  const to = range === 'custom' ? timeOf(parameters.get('to')) : '';
  // What is no id is not asked for: it finds nothing.
  const isNoId = id !== '' && deliveryIdOf(id) === null;
  const query: DeliverySearchQuery =
    id === ''
      ? { status, event, error, status_code: statusCode, from, to, limit: PAGE_SIZE, cursor: pages.cursor }
      : { delivery_id: id };
  return {
    ...pages,
    filters: { id, status, event, error, http: String(statusCode), range, from, to },
    query: isNoId ? null : query,
    recentMs: id !== '' || range === '' || range === 'custom' ? null : RECENT_MS[range],
    isFiltered:
      [id, status, event, error, isAcross ? range : from + to].some((value) => value !== '') ||
      statusCode !== '',
    /** A delivery is found by its id whatever the other filters were: they end each other. */
    find: (wanted: string) => narrow({ ...NO_FILTERS, id: wanted }),
    narrow: (changes: Readonly<Partial<Record<FilterName, string>>>) => narrow({ ...changes, id: '' }),
    clear: () => narrow(NO_FILTERS),
  };
}

export type DeliveriesView = ReturnType<typeof useDeliveriesView>;

export function rangeOf(name: string | null): RangeName {
  return name === 'custom' || (name !== null && isRecent(name)) ? name : '';
}

function isRecent(name: string): name is keyof typeof RECENT_MS {
  return Object.hasOwn(RECENT_MS, name);
}

/** A time of the address as ISO 8601; '' for any other text. */
export function timeOf(text: string | null): string {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

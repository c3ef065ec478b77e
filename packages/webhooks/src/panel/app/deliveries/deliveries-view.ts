import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { deliveryIdOf } from '../api/delivery-id.ts';
import type { DeliverySearchQuery } from '../api/delivery-pages.ts';
import type { ActivityPoint } from '../api/records.ts';
import { deliveryStatusOf } from '../messages/webhook-text.ts';
import { changedParameters } from '../ui/changed-parameters.ts';
import { hoursOf, RANGE_NAMES, RANGES, type RangeName, sumOf } from './activity/activity-bars.ts';

export const PAGE_SIZE = 20;
const HOUR_MS = 3_600_000;
/** Of a text with an id in it. */
export const MAX_ID_TEXT_LENGTH = 200;
const ANY = /^.{0,128}/;
export const ERROR_CODE = /^[a-z0-9_]{1,64}$/;
const WEBHOOK_ID = /^[1-9]\d{0,15}$/;
const CURSOR = /^.{0,512}/;

/** What a list of deliveries is narrowed to; '' for all. */
const EVERY = { status: '', event: '', error: '', tenant: '', from: '', to: '' } as const;
const NO_FILTERS = { ...EVERY, id: '', webhook: '', range: '' };
type Filters = Readonly<Record<keyof typeof NO_FILTERS, string>>;

/** The page of a history that is shown first. */
export function firstPageOf(webhookId: number): DeliverySearchQuery {
  return { ...EVERY, webhook_id: webhookId, limit: PAGE_SIZE, cursor: '' };
}

/**
 * The filters and page of deliveries. They are part of the address, so that a reload and a shared
 * link show the same.
 *
 * @param webhookId the webhook of a page of its own. Default: those of all, or of a chosen one
 */
export function useDeliveriesView(webhookId?: number) {
  const [parameters, setParameters] = useSearchParams();
  // The cursors of the pages before. After a link there are none, and "Newer" then leads to the
  // first page.
  const [trail, setTrail] = useState<readonly string[]>([]);
  const isAcross = webhookId === undefined;
  const fitting = (name: string, form: RegExp) => form.exec(parameters.get(name) ?? '')?.[0] ?? '';
  const cursor = fitting('cursor', CURSOR);
  const position = trail.indexOf(cursor);
  const idText = (parameters.get('id') ?? '').trim().slice(0, MAX_ID_TEXT_LENGTH);
  const id = deliveryIdOf(idText) ?? idText;
  const from = timeOf(parameters.get('from'));
  const to = timeOf(parameters.get('to'));
  const range: RangeName | '' = RANGE_NAMES.find((name) => name === parameters.get('range')) ?? '';
  const webhook = isAcross ? fitting('webhook', WEBHOOK_ID) : String(webhookId);
  const filters = {
    ...{ status: deliveryStatusOf(parameters.get('status')), from, to },
    event: fitting('event', ANY),
    error: fitting('error', ERROR_CODE),
    // A webhook has a tenant.
    tenant: webhook === '' ? fitting('tenant', ANY) : '',
  };
  const page = { ...filters, webhook_id: '', limit: PAGE_SIZE, cursor } as const;
  const query: DeliverySearchQuery =
    id === '' ? { ...page, ...(webhook && { webhook_id: Number(webhook) }) } : { delivery_id: id };
  // What is no id, or no time, is not asked for: it finds nothing.
  const isNothing = (to !== '' && from > to) || (id !== '' && deliveryIdOf(id) === null);
  // A time that was chosen in the chart of a range is a part of it.
  const hours = id + from + to === '' && range !== '' ? RANGES[range].hours : null;

  function change(changes: Readonly<Record<string, string>>, isReplacing = true): void {
    const next = { cursor: '', ...changes };
    setParameters((previous) => changedParameters(previous, next), { replace: isReplacing });
  }

  return {
    /** Whether the deliveries may be of several webhooks. */
    isAcross,
    filters: { ...filters, id, range, webhook },
    query: isNothing ? null : query,
    /** How many hours until now they are of; null if it is another time. */
    hours,
    isFiltered: [...Object.values(filters), id, range, isAcross ? webhook : ''].some((value) => value !== ''),
    /** Which part of the chosen time is after that; null if it has no beginning. */
    shareUntil(at: string) {
      const end = to === '' ? Date.now() : Date.parse(to);
      const span = hours === null ? end - Date.parse(from) : hours * HOUR_MS;
      return Number.isNaN(span) ? null : Math.min((end - Date.parse(at)) / span, 1);
    },
    /** A delivery is found by its id whatever the other filters were: they end each other. */
    find: (wanted: string) => change({ ...NO_FILTERS, id: wanted }),
    /** Changes the filters, and goes to the first page. */
    narrow: (changes: Partial<Filters>) => change({ ...changes, id: '' }),
    clear: () => change(NO_FILTERS),
    cursor,
    toNewer: () => change({ cursor: trail[position - 1] ?? '' }, false),
    toOlder: (next: string) => {
      const passed = cursor === '' ? [] : position === -1 ? [cursor] : trail.slice(0, position + 1);
      setTrail([...passed, next]);
      change({ cursor: next }, false);
    },
  };
}

export type DeliveriesView = ReturnType<typeof useDeliveriesView>;

/**
 * How many deliveries of a list have ended, by status, if its time is one of whole hours that the
 * activity has, and nothing else but a status narrows it.
 */
export function countsOf(activity: readonly ActivityPoint[] | undefined, view: DeliveriesView) {
  const { id, event, error, from, to } = view.filters;
  if (activity === undefined || id + event + error !== '') return {};
  const isWhole = [from, to].every((time) => time.endsWith(':00:00.000Z'));
  if (view.hours === null && !(isWhole && from >= (activity[0]?.start ?? to))) return {};
  const within = ({ start }: ActivityPoint) => start >= from && start < to;
  const hours = view.hours === null ? activity.filter(within) : hoursOf(activity, view.hours);
  const { success, failed } = sumOf(hours);
  return { success, failed };
}

/** A time of the address as ISO 8601; '' for any other text. */
function timeOf(text: string | null): string {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

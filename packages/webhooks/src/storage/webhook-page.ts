import { HEALTH_LEVELS, type HealthLevel } from './failure-run.ts';
import { lowerCaseAscii } from './lower-case-ascii.ts';
import type { Webhook } from './records.ts';
import type { WebhookQuery, WebhookSort } from './webhook-requests.ts';

/** A webhook with what a list is filtered and ordered by. */
export interface PagedWebhook {
  readonly webhook: Webhook;
  readonly level: HealthLevel;
}

type Compare = (a: Webhook, b: Webhook) => number;

const COMPARE: Readonly<Record<Exclude<WebhookSort, 'level'>, Compare>> = {
  id: (a, b) => a.id - b.id,
  url: (a, b) => Buffer.compare(Buffer.from(a.url), Buffer.from(b.url)),
  created_at: (a, b) => compareText(a.createdAt, b.createdAt),
  updated_at: (a, b) => compareText(a.updatedAt, b.updatedAt),
};

/**
 * The page of webhooks that a query asks for, and how many match in all, for a storage without a
 * query language.
 */
export function pageOf(
  all: readonly PagedWebhook[],
  query: WebhookQuery,
): { readonly webhooks: Webhook[]; readonly total: number } {
  const search = lowerCaseAscii(query.search ?? '');
  const { sort } = query;
  const matching = all
    .filter(
      ({ webhook: { tenant, url, name, description, isActive, events }, level }) =>
        (query.tenant ?? tenant) === tenant &&
        [url, name, description].some((text) => lowerCaseAscii(text).includes(search)) &&
        (query.isActive ?? isActive) === isActive &&
        (query.patterns?.some((pattern) => events.includes(pattern)) ?? true) &&
        (query.level ?? level) === level,
    )
    .sort(
      (a, b) =>
        (sort === 'level'
          ? HEALTH_LEVELS.indexOf(a.level) - HEALTH_LEVELS.indexOf(b.level)
          : COMPARE[sort](a.webhook, b.webhook)) || a.webhook.id - b.webhook.id,
    )
    .map(({ webhook }) => webhook);
  if (query.order === 'desc') matching.reverse();
  return { webhooks: matching.slice(query.offset, query.offset + query.limit), total: matching.length };
}

/**
 * Compares as databases with a binary collation do; right for the ASCII texts that timestamps are.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

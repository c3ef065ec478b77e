import { HEALTH_LEVELS, type HealthLevel } from './failure-run.ts';
import { lowerCaseAscii } from './lower-case-ascii.ts';
import type { Webhook } from './records.ts';
import type { WebhookQuery } from './webhook-requests.ts';

/** A webhook with what a list is filtered and ordered by. */
export interface PagedWebhook {
  readonly webhook: Webhook;
  readonly level: HealthLevel;
}

type Compare = (a: Webhook, b: Webhook) => number;

const COMPARE: Readonly<Record<Exclude<WebhookQuery['sort'], 'level'>, Compare>> = {
  id: (a, b) => a.id - b.id,
  tenant: (a, b) => compareBytes(a.tenant, b.tenant),
  url: (a, b) => compareBytes(a.url, b.url),
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
        (query.tenantAfter === undefined || compareBytes(tenant, query.tenantAfter) > 0) &&
        ([url, name, description].some((text) => lowerCaseAscii(text).includes(search)) ||
          events.some((pattern) => query.searchPatterns?.includes(pattern))) &&
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
  const webhooks = matching.slice(query.offset, query.offset + query.limit);
  return { webhooks, total: query.tenantAfter === undefined ? matching.length : webhooks.length };
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Compares as databases with a binary collation do; right for the ASCII texts that timestamps are.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import { HEALTH_LEVELS, type HealthLevel } from './failure-run.ts';
import { lowerCaseAscii } from './lower-case-ascii.ts';
import type { Webhook } from './webhook-record.ts';
import type { WebhookQuery } from './webhook-requests.ts';

/** A webhook with what a list is filtered and ordered by. */
export interface PagedWebhook {
  readonly webhook: Webhook;
  readonly level: HealthLevel;
  /** Since when it is down; '' if it is not. */
  readonly downSince: string;
  /** Whether it has a pending delivery. */
  readonly isWaiting: boolean;
  /** Whether it is one of those that a query with `unwell` asks for. Default: true. */
  readonly isUnwell?: boolean;
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
  const { sort } = query;
  const matching = all
    .filter(
      ({ webhook, webhook: { tenant, isActive, events }, level, isUnwell = true }) =>
        isUnwell &&
        (query.tenant ?? tenant) === tenant &&
        (query.tenantAfter === undefined || compareBytes(tenant, query.tenantAfter) > 0) &&
        isFound(webhook, query) &&
        (query.isActive ?? isActive) === isActive &&
        (query.patterns?.some((pattern) => events.includes(pattern)) ?? true) &&
        (query.level ?? level) === level,
    )
    .sort(
      (a, b) =>
        (sort === 'level'
          ? levelOrder(a) - levelOrder(b) || compareText(b.downSince, a.downSince)
          : COMPARE[sort](a.webhook, b.webhook)) || a.webhook.id - b.webhook.id,
    )
    .map(({ webhook }) => webhook);
  if (query.order === 'desc') matching.reverse();
  const webhooks = matching.slice(query.offset, query.offset + query.limit);
  return { webhooks, total: query.tenantAfter === undefined ? matching.length : webhooks.length };
}

function levelOrder({ level, isWaiting }: PagedWebhook): number {
  return level === 'healthy' ? 0 : 2 * HEALTH_LEVELS.indexOf(level) + Number(isWaiting);
}

/** Whether the search of a query, if it has one, finds a webhook. */
export function isFound(
  { tenant, url, name, description, events }: Webhook,
  query: Pick<WebhookQuery, 'tenant' | 'search' | 'searchPatterns' | 'searchPrefix'>,
): boolean {
  const search = lowerCaseAscii(query.search ?? '');
  return (
    [url, name, description, query.tenant === undefined ? tenant : ''].some((text) =>
      lowerCaseAscii(text).includes(search),
    ) ||
    events.some(
      (pattern) =>
        query.searchPatterns?.includes(pattern) ||
        (query.searchPrefix !== undefined && pattern.startsWith(query.searchPrefix)),
    )
  );
}

export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Compares as databases with a binary collation do; right for the ASCII texts that timestamps are.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import { lowerCaseAscii } from './lower-case-ascii.ts';
import type { Webhook } from './records.ts';
import type { WebhookQuery, WebhookSort } from './webhook-requests.ts';

const COMPARE: Readonly<Record<WebhookSort, (a: Webhook, b: Webhook) => number>> = {
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
  webhooks: readonly Webhook[],
  query: WebhookQuery,
): { readonly webhooks: Webhook[]; readonly total: number } {
  const search = lowerCaseAscii(query.search ?? '');
  const matching = webhooks
    .filter(
      ({ url, description, isActive }) =>
        (lowerCaseAscii(url).includes(search) || lowerCaseAscii(description).includes(search)) &&
        (query.isActive === undefined || query.isActive === isActive),
    )
    .sort((a, b) => COMPARE[query.sort](a, b) || a.id - b.id);
  if (query.order === 'desc') matching.reverse();
  return { webhooks: matching.slice(query.offset, query.offset + query.limit), total: matching.length };
}

/**
 * Compares as databases with a binary collation do; right for the ASCII texts that timestamps are.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

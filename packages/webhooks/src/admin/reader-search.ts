import { searchedPatterns } from '../events/pattern.ts';
import { readInput } from '../registry/read-input.ts';
import { shownUrl } from '../registry/shown-url.ts';
import type { ListedWebhook } from '../registry/webhook-input.ts';
import { MAX_WEBHOOKS_PER_TENANT } from '../storage/tenant-storage.ts';
import { compareBytes, isFound } from '../storage/webhook-page.ts';
import type { AdministeredWebhooks } from './routes/route.ts';

type List = AdministeredWebhooks['list'];

/**
 * The webhooks of a tenant for who may only look: a search and an order by URL see URLs as that
 * user does, because the results would tell what is hidden, character by character. Either reads
 * all webhooks of the tenant, which are one page of a list.
 */
export function searchedAsShown(webhooks: AdministeredWebhooks): AdministeredWebhooks {
  const all = { limit: MAX_WEBHOOKS_PER_TENANT, offset: 0 };

  /** All that a list finds. */
  async function find(input: Parameters<List>[0], text: string) {
    const search = { tenant: '', search: text, ...searchedPatterns(text) };
    const page = await webhooks.list({ ...input, ...all, search: undefined });
    return page.webhooks.filter((one) => isFound({ ...one, url: shownUrl(one.url) }, search));
  }

  return {
    ...webhooks,
    async list(input = {}) {
      const { search, sort, order, limit, offset } = await readInput(({ listInput }) => listInput, input);
      const isByUrl = sort === 'url';
      if (!search && !isByUrl) return webhooks.list(input);
      const found = await find(isByUrl ? { ...input, sort: 'id' } : input, search ?? '');
      if (isByUrl) found.sort(order === 'asc' ? byShownUrl : (a, b) => byShownUrl(b, a));
      return { webhooks: found.slice(offset, offset + limit), total: found.length, limit, offset };
    },
    async explain(event, input = {}) {
      const { search, limit, offset } = await readInput(({ explainInput }) => explainInput, input);
      if (!search) return webhooks.explain(event, input);
      const ids = new Set((await find({}, search)).map(({ id }) => id));
      const explained = await webhooks.explain(event, all);
      const found = explained.webhooks.filter(({ webhookId }) => ids.has(webhookId));
      return {
        ...explained,
        webhooks: found.slice(offset, offset + limit),
        total: found.length,
        limit,
        offset,
      };
    },
  };
}

/** The order of a list by URL. Webhooks whose URLs look alike stay in the order of their ids. */
function byShownUrl(a: ListedWebhook, b: ListedWebhook): number {
  return compareBytes(shownUrl(a.url), shownUrl(b.url));
}

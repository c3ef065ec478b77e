import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.ts';
import { useOffers } from '../api/offers.ts';
import { NEVER_STALE_MS, useKnownEvents, useWebhookList } from '../api/webhook-queries.ts';
import { failureMessage } from '../messages/failure-message.ts';
import { failureTitles } from '../messages/failure-texts.ts';
import { visibleText } from '../ui/hidden-characters.ts';
import { ERROR_CODE } from './deliveries-view.ts';
import type { Choice, Choices } from './facet-search.tsx';

const TYPING_MS = 250;
const MAX_FOUND = 8;

/** Those that contain a text: one that is it comes first, and last what the text itself means. */
function foundIn(choices: readonly Choice[], text: string, meant?: Choice): readonly Choice[] {
  const part = text.toLowerCase();
  const found = choices
    .filter(({ value, label }) => `${value}\n${label}`.toLowerCase().includes(part))
    .sort((a, b) => Number(b.value === text) - Number(a.value === text));
  const isNew = meant !== undefined && found.every(({ value }) => value !== meant.value);
  return text !== '' && isNew ? [...found, meant] : found;
}

const named = (value: string): Choice => ({ value, label: visibleText(value) });

/** Events by name, and all of a kind: `order.*`. */
export function useEventChoices(text: string): Choices {
  const { data, isPending } = useKnownEvents();
  const names = data?.map(({ name }) => name) ?? [];
  const kinds = names.map((name) => name.replace(/\.[^.]+$/, '.*'));
  const found = foundIn([...new Set([...kinds, ...names])].sort().map(named), text, named(text));
  return { found, isOfText: !isPending };
}

const CAUSES = Object.keys(failureTitles)
  .filter((code) => code !== 'http')
  .map(causeOf);

function causeOf(code: string): Choice {
  return { value: code, label: failureMessage(code).title };
}

/**
 * Why attempts fail: by what it is called, by a code, also a later version's, or an HTTP status.
 */
export function useCauseChoices(text: string): Choices {
  const isStatus = /^[1-5]\d\d$/.test(text);
  const meant = ERROR_CODE.test(text) ? causeOf(text) : undefined;
  return { found: isStatus ? [causeOf(`http_${text}`)] : foundIn(CAUSES, text, meant), isOfText: true };
}

/** The webhooks with a text in their URL, name or description; the newest by ''. */
export function useWebhookChoices(text: string): Choices {
  const [search] = useDebouncedValue(text, TYPING_MS);
  const { data, isPlaceholderData } = useWebhookList({ search, limit: MAX_FOUND });
  const found = (data?.webhooks ?? []).map(({ id, url, name }) => ({
    value: String(id),
    label: visibleText(name === '' ? url : `${name} · ${url}`),
  }));
  return { found, isOfText: search === text && data !== undefined && !isPlaceholderData };
}

/** The customers that have webhooks, by the beginning of their name; none for a customer. */
export function useTenantChoices(text: string): Choices {
  const { request } = useApi();
  const { data: isListed = false } = useOffers('/tenants');
  const [after] = useDebouncedValue(text, TYPING_MS);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['tenants', after],
    queryFn: ({ signal }) => request('GET', '/tenants', { query: { after, limit: MAX_FOUND }, signal }),
    enabled: isListed,
    staleTime: NEVER_STALE_MS,
    placeholderData: keepPreviousData,
  });
  const begun = data?.tenants.filter(({ tenant }) => tenant.startsWith(text)) ?? [];
  const choices = begun.map(({ tenant }) => named(tenant));
  return {
    found: data ? foundIn(choices, text, named(text)) : [],
    isOfText: after === text && data !== undefined && !isPlaceholderData,
  };
}

import { useQuery } from '@tanstack/react-query';
import { tabStorage } from '../tab-storage.ts';
import { useApi } from './api-context.ts';
import type { PathOf } from './api-operation.ts';

const DOCUMENT = '/openapi.json';

/** What the tab keeps: the document is longer than all else that a page reads. */
const KEPT = 'paths';

/**
 * Tells whether the API, which is the administrators' or the customers', offers an operation: its
 * document names the paths. A tab reads it once for each user.
 */
export function useOffers(path: PathOf<'GET'>, isAsked = true) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['paths'],
    queryFn: async ({ signal }) => {
      const kept = tabStorage.get(KEPT);
      if (kept !== null) return kept.split(' ');
      const { paths } = await request('GET', DOCUMENT, { signal });
      const names = Object.keys(Object(paths));
      tabStorage.set(KEPT, names.join(' '));
      return names;
    },
    // A path of the document begins with that of the API.
    select: (paths) =>
      paths.some((one) => one.endsWith(DOCUMENT) && paths.includes(one.slice(0, -DOCUMENT.length) + path)),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

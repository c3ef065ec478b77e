import { useQuery } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import type { PathOf } from './api-operation.ts';

const DOCUMENT = '/openapi.json';

/**
 * Tells whether the API, which is the administrators' or the customers', offers an operation: its
 * document names the paths. Read once.
 */
export function useOffers(path: PathOf<'GET'>, isAsked = true) {
  const { request } = useApi();
  return useQuery({
    queryKey: ['paths'],
    queryFn: async ({ signal }) => {
      const { paths } = await request('GET', DOCUMENT, { signal });
      return Object.keys(Object(paths));
    },
    // A path of the document begins with that of the API.
    select: (paths) =>
      paths.some((one) => one.endsWith(DOCUMENT) && paths.includes(one.slice(0, -DOCUMENT.length) + path)),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

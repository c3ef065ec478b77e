import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { ApiClient } from './api-client.ts';
import type { ApiAnswer, ApiRequest, PathOf } from './api-operation.ts';
import type { Session } from './session.ts';

/** The server, for every component. */
export interface Api {
  readonly request: ApiClient;
  readonly session: Session;
  /** Whether it refuses every change: nothing then offers one. */
  readonly isReadOnly: boolean;
}

const ApiContext = createContext<Api | null>(null);

export const ApiProvider = ApiContext.Provider;

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('useApi is called outside ApiProvider');
  return api;
}

type ReadOptions<Answer, Data> = Pick<
  UseQueryOptions<Answer, Error, Data>,
  'enabled' | 'select' | 'staleTime' | 'placeholderData' | 'meta'
>;

/** What the API answers, read again with all of its kind: the first part of a query's key. */
export function useRead<Path extends PathOf<'GET'>, Data = ApiAnswer<'GET', Path>>(
  kind: string,
  path: Path,
  sent: ApiRequest<'GET', Path>,
  options: ReadOptions<ApiAnswer<'GET', Path>, Data> = {},
) {
  const { request } = useApi();
  return useQuery<ApiAnswer<'GET', Path>, Error, Data>({
    queryKey: [kind, path, sent],
    queryFn: ({ signal }) => request('GET', path, { ...sent, signal }),
    ...options,
  });
}

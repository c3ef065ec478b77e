import { createContext, useContext } from 'react';
import type { ApiClient } from './api-client.ts';
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

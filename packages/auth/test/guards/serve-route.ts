import type { Served } from '../../../toolkit/test/framework-hosts.ts';
import type { Framework, Route } from './framework.ts';

/** One guarded route, `/x`, until the test is over. */
export interface ServedRoute extends Served {
  readonly ask: (headers?: Record<string, string>, method?: string) => Promise<Response>;
  /** One entry for each request that reached the handler. */
  readonly reached: readonly string[];
}

/** Serves a route that answers with the claims. */
export async function serveRoute<G>(
  framework: Framework<G>,
  prefix: string,
  guards: readonly G[],
): Promise<ServedRoute> {
  const reached: string[] = [];
  const route: Route<G> = {
    path: '/x',
    guards,
    answer(claims) {
      reached.push('/x');
      return claims();
    },
  };
  const served = await framework.start({ prefix, routes: [route] });
  return {
    ...served,
    ask: (headers = {}, method = 'GET') => served.fetch(`${prefix}/x`, { method, headers }),
    reached,
  };
}

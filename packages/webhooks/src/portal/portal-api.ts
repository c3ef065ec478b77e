import { createApiHandler } from '../admin/api-handler.ts';
import { requireUser } from '../admin/authorize.ts';
import { searchedAsShown } from '../admin/reader-search.ts';
import type { Webhooks } from '../webhooks.ts';
import { customerOf, type PortalApiOptions, readPortalOptions } from './portal-options.ts';

/** The customers' API as a Web fetch handler with the path that it serves. */
export interface PortalApi {
  /** @param native what `authorize` receives besides: `mount` gives the framework's own request */
  (request: Request, native?: unknown): Promise<Response>;
  readonly basePath: string;
}

/** Customers are told no names of users. */
const namesOf = async () => () => null;

/**
 * Creates the HTTP API through which customers manage their own webhooks: the operations of the
 * admin API over `webhooks.forTenant(tenant)`, with the tenant that `authorize` returns and no way
 * to others. An id of another tenant is answered as one that does not exist, byte for byte.
 *
 * Every request below `basePath` passes the cross-site check first, then `authorize`, then the
 * check of the scope: GET, HEAD and OPTIONS need `webhooks:read` or `webhooks`, everything else
 * `webhooks`. Answers to who may only read name those methods in `Allow`, from which pages learn to
 * offer no change. Answers leave out who created a webhook, its tenant and what the engine does.
 * Tests and redeliveries beyond `maxTenantCallsPerMinute` are 429 with `Retry-After`.
 * `GET <basePath>/openapi.json` describes the API with the events for tenants. The handler never
 * rejects.
 *
 * ```ts
 * const api = createPortalApi(webhooks, {
 *   authorize: (_, { user }: express.Request & { user?: User }) =>
 *     user ? { uid: user.id, tenant: user.organisation, scopes: ['webhooks'] } : null,
 * });
 * ```
 *
 * @throws TypeError if `webhooks` is no engine, `authorize` is missing or an option is out of
 *   bounds
 */
export function createPortalApi(webhooks: Pick<Webhooks, 'forTenant'>, options: PortalApiOptions): PortalApi {
  checkEngine(webhooks);
  const { authorize, scopes, settings } = readPortalOptions(options);
  return createApiHandler({
    audience: 'customers',
    name: 'portal API',
    settings,
    engine: webhooks,
    scopes,
    namesOf,
    async enter(request, native) {
      const { tenant, ...actor } = await requireUser(request, authorize, native, customerOf);
      const whose = { tenant };
      const own = webhooks.forTenant(tenant);
      const mayChange = actor.scopes.includes(scopes.change);
      return { actor, webhooks: mayChange ? own : searchedAsShown(own), whose, whoseIs: () => whose };
    },
  });
}

/** @throws TypeError unless the value is a whole engine, which that of one tenant is not */
function checkEngine(webhooks: unknown): void {
  const isEngine = typeof webhooks === 'object' && webhooks !== null && 'forTenant' in webhooks;
  if (isEngine && typeof webhooks.forTenant === 'function') return;
  throw new TypeError('createPortalApi: the first argument must be what createWebhooks returns');
}

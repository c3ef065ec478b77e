import { tenantField } from '../events/tenant.ts';
import type { Webhook } from '../storage/webhook-record.ts';
import { createActorNames } from './actor-names.ts';
import { type AdminApiOptions, readAdminOptions } from './admin-options.ts';
import { createApiHandler } from './api-handler.ts';
import { adminOf, requireUser } from './authorize.ts';
import type { AdministeredWebhooks } from './routes/route.ts';
import { ADMIN_SCOPES } from './scopes.ts';

/** The admin API as a Web fetch handler with the path that it serves. */
export interface AdminApi {
  /** @param native what `authorize` receives besides: `mount` gives the framework's own request */
  (request: Request, native?: unknown): Promise<Response>;
  readonly basePath: string;
}

/**
 * Creates the HTTP API through which administrators manage webhooks. Its answers are JSON in
 * snake_case, its errors problem details (RFC 9457); neither is ever cached.
 * `GET <basePath>/openapi.json` describes it. The handler never rejects.
 *
 * Every request below `basePath` passes the cross-site check first, then `authorize`, then the
 * check for the scope `admin:webhooks`. Until then an answer says nothing about routes or ids. A
 * path has one spelling: with a trailing slash it is another path (404). Bodies are JSON of at most
 * 64 KiB.
 *
 * ```ts
 * const api = createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) });
 * ```
 *
 * @throws TypeError if `authorize` is missing or an option is out of bounds
 */
export function createAdminApi(webhooks: AdministeredWebhooks, options: AdminApiOptions): AdminApi {
  checkEngine(webhooks);
  const { authorize, describeActors, ...settings } = readAdminOptions(options);
  return createApiHandler({
    audience: 'administrators',
    name: 'admin API',
    settings,
    engine: webhooks,
    scopes: ADMIN_SCOPES,
    namesOf: createActorNames({ describeActors, logger: settings.logger }),
    async enter(request, native) {
      const actor = await requireUser(request, authorize, native, adminOf);
      if (!settings.onAudit) return { actor, webhooks, whose: {}, whoseIs: () => ({}) };
      return { actor, whose: {}, ...noteTenants(webhooks) };
    },
  });
}

/** @throws TypeError unless the value is an engine that `createWebhooks` returned */
function checkEngine(webhooks: unknown): void {
  if (typeof webhooks === 'object' && webhooks !== null && 'list' in webhooks) return;
  throw new TypeError('createAdminApi: the first argument must be what createWebhooks returns');
}

/** Webhooks whose tenants are noted as a request reads and changes them. */
interface NotedWebhooks {
  readonly webhooks: AdministeredWebhooks;
  /** Never rejects: the change is made by now. Empty if the webhook cannot be read any more. */
  whoseIs(webhookId: number): Promise<{ readonly tenant?: string }>;
}

/** Learns the tenants of webhooks for audit events. One that is removed is read before it goes. */
function noteTenants(webhooks: AdministeredWebhooks): NotedWebhooks {
  const tenants = new Map<number, string>();
  async function noted<Read extends Webhook>(reading: Promise<Read>): Promise<Read> {
    const webhook = await reading;
    tenants.set(webhook.id, webhook.tenant);
    return webhook;
  }
  return {
    webhooks: {
      ...webhooks,
      create: (input) => noted(webhooks.create(input)),
      get: (id) => noted(webhooks.get(id)),
      update: (id, ...change) => noted(webhooks.update(id, ...change)),
      rotateSecret: (id, precondition) => noted(webhooks.rotateSecret(id, precondition)),
      endPreviousSecret: (id, precondition) => noted(webhooks.endPreviousSecret(id, precondition)),
      async delete(id, precondition) {
        if (!tenants.has(id)) await noted(webhooks.get(id));
        await webhooks.delete(id, precondition);
      },
    },
    async whoseIs(id) {
      if (!tenants.has(id)) await noted(webhooks.get(id)).catch(() => undefined);
      return tenantField(tenants.get(id) ?? '');
    },
  };
}

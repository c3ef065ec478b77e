import { openApiDocument } from '../../src/admin/open-api/open-api-document.ts';
import { routesFor } from '../../src/admin/routes/routes.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import { createPortalApi, type PortalApi } from '../../src/portal/portal-api.ts';
import type { PortalApiOptions } from '../../src/portal/portal-options.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks.ts';
import type { WebhooksOptions } from '../../src/webhooks-options.ts';
import { actorFromHeader, type Call, caller } from '../admin/admin-harness.ts';
import { documentCheck } from '../admin/open-api/document-check.ts';

export const BASE = '/api/webhooks';
export const HOOK_URL = 'https://hooks.example.com/in';
export const USER = { uid: 'user-of-acme', tenant: 'acme', scopes: ['webhooks'] };
export const READER = { ...USER, scopes: ['webhooks:read'] };
export const SCOPES = { change: 'webhooks', read: 'webhooks:read' };

/** One event for customers and one that is not. */
const EVENTS = defineEvents({
  'order.paid': { label: 'Order paid', audience: 'tenant', example: { total: 1 } },
  'fraud.found': { label: 'Fraud found', example: { score: 1 } },
});

/** Every name resolves to a public address, without a resolver. Nothing is ever sent. */
export function engineOn(
  storage: WebhookStorage<never>,
  options: Omit<WebhooksOptions, 'storage'> = {},
): Webhooks {
  return createWebhooks({
    events: EVENTS,
    egress: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
    ...options,
    storage,
  });
}

/** The document of the customers' API of an engine. */
export function portalDocument(webhooks: Webhooks = engineOn(memoryStorage())) {
  const api = { audience: 'customers', scopes: SCOPES } as const;
  return openApiDocument(routesFor('customers'), BASE, webhooks.forTenant('acme'), api);
}

const check = documentCheck(JSON.parse(JSON.stringify(portalDocument())), BASE);

/** Calls the API as a user of acme, and compares each answer with the document of customers. */
export function portalCaller(api: PortalApi): Call {
  return caller(api, { base: BASE, actor: USER, check });
}

/** The customers' API over the real engine, on memory by default. */
export function startPortal(
  options: Partial<PortalApiOptions> & { storage?: WebhookStorage; webhooks?: Webhooks } = {},
) {
  const { storage = memoryStorage(), webhooks = engineOn(storage), ...apiOptions } = options;
  const api = createPortalApi(webhooks, { authorize: actorFromHeader, ...apiOptions });
  return { webhooks, storage, api, call: portalCaller(api) };
}

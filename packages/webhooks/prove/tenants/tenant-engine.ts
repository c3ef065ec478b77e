import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { defineEvents } from '../../src/events/catalog.ts';
import { kyselyStorage } from '../../src/kysely/kysely-storage.ts';
import type { WebhookTables } from '../../src/kysely/tables.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { createPortalApi } from '../../src/portal/portal-api.ts';
import { createWebhooks } from '../../src/webhooks.ts';

const events = defineEvents({
  'order.paid': { label: 'Order paid', audience: 'tenant' },
  'fraud.found': { label: 'Fraud found' },
});
const LOOPBACK = ['127.0.0.1/32'];
const PATIENCE_MS = 60_000;
const POLL_MS = 10;
export const BASE = '/api/webhooks';

export type TenantEngine = ReturnType<typeof createTenantEngine>;

/** An engine of an application with customers, all of whose recipients are on loopback. */
export function createTenantEngine(db: Kysely<WebhookTables>) {
  return createWebhooks({
    storage: kyselyStorage(db),
    events,
    tenants: 'required',
    maxTenantCallsPerMinute: 1_000,
    egress: {
      allowedAddresses: LOOPBACK,
      dangerouslyAllowedTenantAddresses: LOOPBACK,
      allowTenantHttp: true,
    },
    retry: { delaysMs: [20, 40] },
    sweepIntervalMs: 200,
    schedulePurge: false,
    logger: silentLogger,
  });
}

/** The API of customers, as one of a tenant calls it. */
export function portalApiOf(webhooks: TenantEngine, tenant: string): (request: Request) => Promise<Response> {
  const actor = { uid: tenant, tenant, scopes: ['webhooks'] };
  return createPortalApi(webhooks, { basePath: BASE, authorize: () => actor, logger: silentLogger });
}

/** Waits until every delivery has ended, those to be retried too. */
export async function allEnded(db: Kysely<WebhookTables>): Promise<void> {
  const pending = db.selectFrom('webhook_deliveries').select('id').where('status', '=', 'pending').limit(1);
  const deadline = Date.now() + PATIENCE_MS;
  while ((await pending.execute()).length > 0 && Date.now() < deadline) await sleep(POLL_MS);
}

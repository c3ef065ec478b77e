import type { Audience } from '../../../src/admin/audience.ts';
import { routesFor } from '../../../src/admin/routes/routes.ts';
import { HOOK_URL } from '../admin-harness.ts';

/** A request that a route accepts, below the base path. */
export interface RouteRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
}

const BODIES: Readonly<Record<string, object>> = {
  createWebhook: { url: HOOK_URL },
  updateWebhook: { description: 'changed' },
  changeWebhooks: { action: 'activate', webhooks: [1] },
  recover: { since: '2026-01-01T00:00:00Z' },
};

const QUERIES: Readonly<Record<string, string>> = { explainEvent: '?event=user.created' };

/**
 * One request for each route of an audience, of webhook 1 and one of its deliveries; the one that
 * removes it comes last.
 */
export function everyRequest(deliveryId: string, audience: Audience = 'administrators'): RouteRequest[] {
  const requests = routesFor(audience).map(({ name, method, path }) => ({
    name,
    method,
    path:
      path.replace('{id}', '1').replace('{name}', 'user.created').replace('{delivery_id}', deliveryId) +
      (QUERIES[name] ?? ''),
    body: name === 'redeliverMany' ? { deliveries: [deliveryId] } : BODIES[name],
  }));
  return requests.sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
}

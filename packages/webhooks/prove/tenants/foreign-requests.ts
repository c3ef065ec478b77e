import { ROUTES } from '../../src/admin/routes/routes.ts';

/** A webhook and one of its deliveries. */
export interface Ids {
  readonly id: number;
  readonly deliveryId: string;
}

/** A request to the API of a tenant. */
export interface ApiRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly ifMatch?: string;
}

/** Ids that nothing has. */
export const UNKNOWN: Ids = { id: 987_654_321, deliveryId: 'f'.repeat(32) };

const SINCE = '2026-01-01T00:00:00Z';

/** What a route with `{id}` takes as its body. */
const BODIES: Readonly<Record<string, object>> = {
  updateWebhook: { description: 'taken over' },
  recover: { since: SINCE },
};

/** Every way of naming another's webhook or delivery: routes with an id, and those with lists. */
export function foreignRequests(of: Ids): readonly ApiRequest[] {
  const { id, deliveryId } = of;
  const ofRoutes = ROUTES.filter(({ path }) => path.includes('{id}')).flatMap(({ name, method, path }) => {
    const request = {
      name,
      method,
      path: path.replace('{id}', String(id)).replace('{delivery_id}', deliveryId),
      body: BODIES[name],
    };
    return [request, { ...request, name: `${name} with If-Match`, ifMatch: '"2026-01-01T00:00:00.000Z"' }];
  });
  const bulk = (['pause', 'activate', 'delete'] as const).map((action) => {
    return { name: `bulk ${action}`, method: 'POST', path: '/bulk', body: { action, webhooks: [id] } };
  });
  return [
    ...ofRoutes,
    ...bulk,
    {
      name: 'bulk redelivery',
      method: 'POST',
      path: '/deliveries/redeliver',
      body: { deliveries: [deliveryId] },
    },
    { name: 'search by delivery', method: 'GET', path: `/deliveries?delivery_id=${deliveryId}` },
    { name: 'changes of a webhook', method: 'GET', path: `/changes?webhooks=${id}` },
  ];
}

/** Lists, searches and numbers: everything that a tenant reads without an id. */
export function ownReads(other: string): readonly ApiRequest[] {
  const paths = [
    '?limit=100',
    `?search=${encodeURIComponent(other)}`,
    '?sort=level&health=healthy',
    '/deliveries?limit=100',
    '/deliveries?status=failed',
    `/tenants?after=${encodeURIComponent(other.slice(0, 1))}`,
    '/explain?event=order.paid',
    '/events',
    '/events/order.paid',
  ];
  return paths.map((path) => ({ name: path, method: 'GET', path }));
}

/** An answer's bytes with its ids taken out, which the request gave. */
export function withoutIds(text: string, { id, deliveryId }: Ids): string {
  return text
    .replaceAll(deliveryId, 'DELIVERY')
    .replace(new RegExp(`(?<=[:[,])${id}(?=[,\\]}])`, 'g'), 'WEBHOOK');
}

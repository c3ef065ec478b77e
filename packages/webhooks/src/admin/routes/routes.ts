import { type Audience, isFor } from '../audience.ts';
import { BULK_ROUTES } from './bulk-routes.ts';
import { DELIVERY_ROUTES } from './delivery-routes.ts';
import { DISCOVERY_ROUTES } from './discovery-routes.ts';
import type { Route } from './route.ts';
import { WEBHOOK_ROUTES } from './webhook-routes.ts';

/**
 * The admin API, and the portal's. An operation consists of a row, its schemas and its wire
 * format, and of nothing else.
 */
export const ROUTES = [
  ...WEBHOOK_ROUTES,
  ...DELIVERY_ROUTES,
  ...BULK_ROUTES,
  ...DISCOVERY_ROUTES,
] as const satisfies readonly Route[];

/** The operations of one audience. */
export function routesFor(audience: Audience): readonly Route[] {
  return ROUTES.filter((route: Route) => isFor(audience, route));
}

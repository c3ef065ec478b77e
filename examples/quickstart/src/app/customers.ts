import type { Auth } from '@acme/auth';
import { createPortal, createPortalApi, type Portal, type PortalApi } from '@acme/webhooks/portal';
import type { ShopWebhooks } from './events.ts';

/** In this shop each user is a customer. Where companies are, it is the company of the user. */
export function tenantOf(uid: string): string {
  return `user-${uid}`;
}

/** The API at /api/webhooks, where users manage webhooks of their own, and see no others. */
export function createCustomersApi(auth: Auth, webhooks: ShopWebhooks): PortalApi {
  return createPortalApi(webhooks, {
    async authorize(request) {
      const { uid } = await auth.authenticate(request);
      return { uid, tenant: tenantOf(uid), scopes: ['webhooks'] };
    },
  });
}

/** The pages at /webhooks over that API. Users log in on the page of the demo. */
export function createCustomersPortal(): Portal {
  return createPortal({
    apiPath: '/api/webhooks',
    statusUrl: '/api/auth/status',
    loginUrl: '/try',
    product: 'Example shop',
    title: 'Example shop',
    backUrl: '/try',
  });
}

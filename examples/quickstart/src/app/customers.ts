import type { Auth } from '@acme/auth';
import { createPortalApi, type PortalApi } from '@acme/webhooks/portal';
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

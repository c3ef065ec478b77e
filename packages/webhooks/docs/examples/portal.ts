import type { Webhooks } from '@acme/webhooks';
import { createPortalApi } from '@acme/webhooks/portal';

declare const webhooks: Webhooks;
declare const sessionOf: (request: Request) => Promise<{ userId: string; customer: string } | undefined>;

{
  //#region createPortalApi
  const api = createPortalApi(webhooks, {
    authorize: async (request) => {
      const session = await sessionOf(request);
      return session ? { uid: session.userId, tenant: session.customer, scopes: ['webhooks'] } : null;
    },
  });
  //#endregion
}

import type { Webhooks } from '@acme/webhooks';
import { createPortal, createPortalApi } from '@acme/webhooks/portal';

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

{
  //#region createPortal
  const portal = createPortal({ apiPath: '/api/webhooks', loginUrl: '/login' });
  const page = await portal(new Request('https://app.example.com/webhooks'));
  console.log(page.status); // 200: the same page for everybody, which shows what the API answers
  //#endregion
}

import type { Webhooks } from '@acme/webhooks';
import { createAdminApi, createAdminPanel } from '@acme/webhooks/admin';

declare const webhooks: Webhooks;
declare const request: Request;
declare const userOf: (request: Request) => Promise<string>;

{
  //#region createAdminApi
  const api = createAdminApi(webhooks, {
    // With @acme/auth: (request) => auth.authenticate(request)
    authorize: async (request) => ({ uid: await userOf(request), scopes: ['admin:webhooks'] }),
  });
  //#endregion
}

{
  //#region createAdminPanel
  const panel = createAdminPanel({ apiPath: '/api/admin/webhooks', loginUrl: '/login' });
  //#endregion
}

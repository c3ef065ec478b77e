import type { ApiKeyValidator, Auth } from '@acme/auth';

import {
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from '@acme/auth/fastify';
import fastify from 'fastify';

declare const auth: Auth<'admin'>;
declare const validator: ApiKeyValidator;
const app = fastify();

{
  //#region requireApiKey
  app.get('/api/v1/orders', { onRequest: requireApiKey(validator, { auth }) }, async () => []);
  //#endregion
}

{
  //#region requireAuth
  app.addHook('onRequest', requireAuth(auth));
  //#endregion
}

{
  //#region requireAuthOrApiKey
  app.get('/api/v1/me', { onRequest: requireAuthOrApiKey(auth, validator) }, async () => ({}));
  //#endregion
}

{
  //#region requireRecentLogin
  const onRequest = [requireAuth(auth), requireRecentLogin(600)];
  app.delete('/api/admin/account', { onRequest }, async () => ({}));
  //#endregion
}

{
  //#region requireSameOrigin
  app.post('/api/admin/login', { onRequest: requireSameOrigin(auth) }, async () => ({}));
  //#endregion
}

{
  //#region requireScope
  const onRequest = [requireAuth(auth), requireScope(auth, 'admin')];
  app.get('/api/admin/users', { onRequest }, async () => []);
  //#endregion
}

import type { ApiKeyValidator, Auth } from '@acme/auth';
import {
  type AuthEnv,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from '@acme/auth/hono';
import { Hono } from 'hono';

declare const auth: Auth<'admin'>;
declare const validator: ApiKeyValidator;
const app = new Hono<AuthEnv>();

{
  //#region requireApiKey
  app.get('/api/v1/orders', requireApiKey(validator, { auth }), (c) => c.json([]));
  //#endregion
}

{
  //#region requireAuth
  app.use('/api/admin/*', requireAuth(auth));
  //#endregion
}

{
  //#region requireAuthOrApiKey
  app.use('/api/v1/*', requireAuthOrApiKey(auth, validator));
  //#endregion
}

{
  //#region requireRecentLogin
  app.delete('/api/admin/account', requireAuth(auth), requireRecentLogin(600), (c) => c.body(null, 204));
  //#endregion
}

{
  //#region requireSameOrigin
  app.post('/api/admin/login', requireSameOrigin(auth), (c) => c.body(null, 204));
  //#endregion
}

{
  //#region requireScope
  app.use('/api/admin/users/*', requireAuth(auth), requireScope(auth, 'admin'));
  //#endregion
}

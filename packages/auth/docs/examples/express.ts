import type { ApiKeyValidator, Auth } from '@acme/auth';
import {
  authErrorHandler,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from '@acme/auth/express';
import express from 'express';

declare const auth: Auth<'admin'>;
declare const validator: ApiKeyValidator;
const app = express();

{
  //#region authErrorHandler
  app.use(authErrorHandler()); // last
  //#endregion
}

{
  //#region requireApiKey
  app.get('/api/v1/orders', requireApiKey(validator, { auth }), (_req, res) => void res.json([]));
  //#endregion
}

{
  //#region requireAuth
  app.use('/api/admin', requireAuth(auth));
  //#endregion
}

{
  //#region requireAuthOrApiKey
  app.use('/api/v1', requireAuthOrApiKey(auth, validator));
  //#endregion
}

{
  //#region requireRecentLogin
  app.delete('/api/admin/account', requireAuth(auth), requireRecentLogin(600), (_req, res) => void res.end());
  //#endregion
}

{
  //#region requireSameOrigin
  app.post('/api/admin/login', requireSameOrigin(auth), (_req, res) => void res.end());
  //#endregion
}

{
  //#region requireScope
  app.use('/api/admin/users', requireAuth(auth), requireScope(auth, 'admin'));
  //#endregion
}

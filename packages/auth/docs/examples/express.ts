import { type ApiKeyValidator, type Auth, Claims, type Sessions } from '@acme/auth';
import {
  authErrorHandler,
  claimsOf,
  mountSessions,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
  setClaims,
} from '@acme/auth/express';
import express from 'express';

declare const auth: Auth<'admin'>;
declare const sessions: Sessions;
declare const validator: ApiKeyValidator;
const app = express();

{
  //#region claimsOf
  app.get('/api/admin/me', requireAuth(auth), (req, res) => {
    res.json({ uid: claimsOf(req).uid });
  });
  //#endregion
}

{
  //#region setClaims
  app.use((req, _res, next) => {
    setClaims(req, new Claims({ uid: '42', scopes: ['admin'] })); // a log-in of your own
    next();
  });
  //#endregion
}

{
  //#region authErrorHandler
  app.use(authErrorHandler()); // last
  //#endregion
}

{
  //#region mountSessions
  app.use(mountSessions(sessions));
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

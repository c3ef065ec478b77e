import { type ApiKeyValidator, type Auth, Claims, type Sessions } from '@acme/auth';
import {
  type AuthEnv,
  authErrorHandler,
  mountSessions,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
  setClaims,
} from '@acme/auth/hono';
import { Hono } from 'hono';

declare const auth: Auth<'admin'>;
declare const sessions: Sessions;
declare const validator: ApiKeyValidator;
const app = new Hono<AuthEnv>();

{
  //#region authErrorHandler
  app.onError(authErrorHandler());
  //#endregion
}

{
  //#region mountSessions
  app.use(mountSessions(sessions));
  //#endregion
}

{
  //#region setClaims
  new Hono().use(async (c, next) => {
    setClaims(c, new Claims({ uid: '42', scopes: ['admin'] })); // a log-in of your own
    await next();
  });
  //#endregion
}

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

import type { ApiKeyValidator, Auth } from '@acme/auth';
import {
  claimsOf,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from '@acme/auth/nest';
import type { ExecutionContext, INestApplication } from '@nestjs/common';

declare const auth: Auth<'admin'>;
declare const validator: ApiKeyValidator;
declare const app: INestApplication;

{
  //#region requireApiKey
  app.useGlobalGuards(requireApiKey(validator, { auth }));
  //#endregion
}

{
  //#region requireAuth
  app.useGlobalGuards(requireAuth(auth)); // on a route: @UseGuards(requireAuth(auth))
  //#endregion
}

{
  //#region requireAuthOrApiKey
  app.useGlobalGuards(requireAuthOrApiKey(auth, validator));
  //#endregion
}

{
  //#region requireRecentLogin
  app.useGlobalGuards(requireAuth(auth), requireRecentLogin(600));
  //#endregion
}

{
  //#region requireSameOrigin
  app.useGlobalGuards(requireSameOrigin(auth));
  //#endregion
}

{
  //#region requireScope
  app.useGlobalGuards(requireAuth(auth), requireScope(auth, 'admin'));
  //#endregion
}

{
  //#region claimsOf
  const uidOf = (context: ExecutionContext) => claimsOf(context).uid;
  //#endregion
}

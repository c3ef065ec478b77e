import type { ApiKeyValidator, Auth, Sessions } from '@acme/auth';

import {
  authErrorHandler,
  claimsOf,
  guarded,
  mountSessions,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from '@acme/auth/fetch';

declare const auth: Auth<'admin'>;
declare const sessions: Sessions;
declare const validator: ApiKeyValidator;

{
  //#region authErrorHandler
  const handler = guarded([authErrorHandler()], () => Response.json([]));
  //#endregion
}

{
  //#region mountSessions
  const handler = guarded([mountSessions(sessions)], () => new Response(null, { status: 404 }));
  //#endregion
}

{
  //#region guarded
  const handler = guarded([requireAuth(auth), requireScope(auth, 'admin')], (request) =>
    Response.json({ uid: claimsOf(request).uid }),
  );
  //#endregion
}

{
  //#region requireApiKey
  const handler = guarded([requireApiKey(validator, { auth })], () => Response.json([]));
  //#endregion
}

{
  //#region requireAuth
  const handler = requireAuth(auth)((request) => Response.json({ uid: claimsOf(request).uid }));
  //#endregion
}

{
  //#region requireAuthOrApiKey
  const handler = guarded([requireAuthOrApiKey(auth, validator)], () => Response.json([]));
  //#endregion
}

{
  //#region requireRecentLogin
  const handler = guarded([requireAuth(auth), requireRecentLogin(600)], () => Response.json({}));
  //#endregion
}

{
  //#region requireSameOrigin
  const handler = guarded([requireSameOrigin(auth)], () => Response.json({}));
  //#endregion
}

{
  //#region requireScope
  const handler = guarded([requireAuth(auth), requireScope(auth, 'admin')], () => Response.json([]));
  //#endregion
}

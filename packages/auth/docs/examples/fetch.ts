import type { ApiKeyValidator, Auth } from '@acme/auth';

import {
  claimsOf,
  guarded,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from '@acme/auth/fetch';

declare const auth: Auth<'admin'>;
declare const validator: ApiKeyValidator;

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

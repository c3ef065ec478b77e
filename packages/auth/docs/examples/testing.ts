import {
  createAuth,
  type LoginFailureStore,
  memoryApiKeyStore,
  memoryOneTimeTokenStore,
  memorySessionStore,
} from '@acme/auth';
import {
  apiKeyStoreContract,
  authenticateAs,
  loginFailureStoreContract,
  oneTimeTokenStoreContract,
  sessionStoreContract,
  withClaims,
} from '@acme/auth/testing';
import { describe, it } from 'vitest';

declare const signingKey: string;
declare const redisLoginFailures: () => LoginFailureStore;
const close = async () => {};

{
  //#region apiKeyStoreContract
  describe.each(apiKeyStoreContract(async () => ({ store: memoryApiKeyStore(), close })))(
    '$name',
    ({ run }) => {
      it('holds', run);
    },
  );
  //#endregion
}

{
  //#region authenticateAs
  const auth = authenticateAs(createAuth({ signingKey }), { uid: '42', scopes: ['admin'] });
  //#endregion
}

{
  //#region withClaims
  const request = withClaims(new Request('https://example.com'), { uid: '42', scopes: ['admin'] });
  //#endregion
}

{
  //#region loginFailureStoreContract
  const createStore = async () => ({ store: redisLoginFailures(), close });
  for (const { name, run } of loginFailureStoreContract(createStore)) it(name, run);
  //#endregion
}

{
  //#region oneTimeTokenStoreContract
  const createStore = async () => ({ store: memoryOneTimeTokenStore(), close });
  for (const { name, run } of oneTimeTokenStoreContract(createStore)) it(name, run);
  //#endregion
}

{
  //#region sessionStoreContract
  const createStore = async () => ({ store: memorySessionStore(), close });
  for (const { name, run } of sessionStoreContract(createStore)) it(name, run);
  //#endregion
}

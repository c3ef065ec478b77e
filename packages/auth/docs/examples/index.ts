import {
  createApiKeys,
  createAuth,
  createHashingLimiter,
  createOneTimeTokens,
  generateApiKey,
  generateId,
  generateRefreshToken,
  hashApiKey,
  hashPassword,
  hashToken,
  memoryApiKeyStore,
  memoryOneTimeTokenStore,
  memorySessionStore,
  parseApiKey,
  problemFor,
  type Sessions,
} from '@acme/auth';

declare const signingKey: string;
declare const request: Request;
declare const sessions: Sessions;
const auth = createAuth({ signingKey });

{
  //#region generateApiKey
  const { key, displayPrefix, hash } = generateApiKey('shop'); // show the key once, store the hash
  //#endregion
}

{
  //#region hashApiKey
  const hash = hashApiKey('shop_the_key');
  //#endregion
}

{
  //#region parseApiKey
  const parsed = parseApiKey('shop_the_key');
  if (!parsed?.isIntact) console.warn('That is no API key, or it was not copied whole.');
  //#endregion
}

{
  //#region createApiKeys
  const apiKeys = createApiKeys({
    auth,
    store: memoryApiKeyStore(),
    prefix: 'shop',
    loadUser: sessions.loadUser,
  });
  const owner = await auth.authenticate(request);
  const { key } = await apiKeys.create(owner, { name: 'CI', scopes: ['orders:read'] });
  //#endregion
}

{
  //#region memoryApiKeyStore
  const apiKeys = createApiKeys({ auth, store: memoryApiKeyStore(), prefix: 'shop' });
  //#endregion
}

{
  //#region problemFor
  try {
    await auth.authenticate(request);
  } catch (error) {
    console.log(problemFor(error)); // the status, headers and body of the answer
  }
  //#endregion
}

{
  //#region memoryOneTimeTokenStore
  const tokens = createOneTimeTokens({ auth, store: memoryOneTimeTokenStore() });
  //#endregion
}

{
  //#region createHashingLimiter
  const limiter = createHashingLimiter({ maxConcurrent: 2 });
  const hash = await limiter.run(() => hashPassword('correct horse battery staple'));
  //#endregion
}

{
  //#region memorySessionStore
  const store = memorySessionStore(); // for tests and trying things out
  //#endregion
}

{
  //#region generateId
  const id = generateId();
  //#endregion
}

{
  //#region generateRefreshToken
  const token = generateRefreshToken();
  const stored = hashToken(token);
  //#endregion
}

{
  //#region hashToken
  const stored = hashToken('the token that the client presents');
  //#endregion
}

import {
  type ApiKeyValidator,
  assertRecentLogin,
  authenticateApiKey,
  authenticateAuthOrApiKey,
  createApiKeys,
  createAuth,
  createHashingLimiter,
  createOneTimeTokens,
  createSessions,
  createTokenRequests,
  generateApiKey,
  generateId,
  generateRefreshToken,
  hashApiKey,
  hashPassword,
  hashToken,
  isAuthError,
  memoryApiKeyStore,
  memoryOneTimeTokenStore,
  memorySessionStore,
  needsRehash,
  type PasswordUser,
  parseApiKey,
  passwordCredentials,
  problemFor,
  type Sessions,
  verifyPassword,
} from '@acme/auth';

declare const signingKey: string;
declare const request: Request;
declare const sessions: Sessions;
declare const validator: ApiKeyValidator;
declare const sendMail: (to: string, text: string) => Promise<void>;
const users = new Map<string, PasswordUser & { email: string }>();
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
  //#region createAuth
  const auth = createAuth({ signingKey, scopes: ['admin', 'admin:webhooks'] });
  const token = await auth.issueAccessToken('42', ['admin']);
  //#endregion
}

{
  //#region isAuthError
  try {
    await auth.authenticate(request);
  } catch (error) {
    if (!isAuthError(error, 'token_missing')) throw error;
  }
  //#endregion
}

{
  //#region authenticateApiKey
  const { uid } = await authenticateApiKey(request, validator, { auth });
  //#endregion
}

{
  //#region authenticateAuthOrApiKey
  const { uid } = await authenticateAuthOrApiKey(request, auth, validator);
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
  //#region assertRecentLogin
  const claims = await auth.authenticate(request);
  assertRecentLogin(claims, 600); // throws AuthError `login_required` after ten minutes
  //#endregion
}

{
  //#region memoryOneTimeTokenStore
  const tokens = createOneTimeTokens({ auth, store: memoryOneTimeTokenStore() });
  //#endregion
}

{
  //#region createOneTimeTokens
  const tokens = createOneTimeTokens({ auth, store: memoryOneTimeTokenStore() });
  const { token } = await tokens.issue({ uid: '42', purpose: 'password-reset' });
  const { uid } = await tokens.consume(token, { purpose: 'password-reset' });
  //#endregion
}

{
  //#region createTokenRequests
  const requests = createTokenRequests({
    tokens: createOneTimeTokens({ auth, store: memoryOneTimeTokenStore() }),
    purpose: 'password-reset',
    findUser: async (login) => users.get(login),
    sendToken: ({ user, token }) => sendMail(user.email, `https://example.com/reset#${token}`),
  });
  await requests.request('ada@example.com', { ip: '203.0.113.7' }); // the same for unknown accounts
  //#endregion
}

{
  //#region createHashingLimiter
  const limiter = createHashingLimiter({ maxConcurrent: 2 });
  const hash = await limiter.run(() => hashPassword('correct horse battery staple'));
  //#endregion
}

{
  //#region hashPassword
  const passwordHash = await hashPassword('correct horse battery staple');
  //#endregion
}

{
  //#region needsRehash
  const hash = await hashPassword('correct horse battery staple', { iterations: 700_000 });
  if (needsRehash(hash)) console.log('hash it again at the next log-in');
  //#endregion
}

{
  //#region verifyPassword
  const hash = await hashPassword('correct horse battery staple');
  const isRight = await verifyPassword(hash, 'what the user typed');
  //#endregion
}

{
  //#region createSessions
  const sessions = createSessions({
    auth,
    store: memorySessionStore(),
    loadUser: async (uid) => (users.has(uid) ? { scopes: ['admin'] } : undefined),
    verifyCredentials: passwordCredentials({ findUser: async (login) => users.get(login) }),
  });
  const response = await sessions.handler(request);
  //#endregion
}

{
  //#region passwordCredentials
  const verifyCredentials = passwordCredentials({ findUser: async (login) => users.get(login) });
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

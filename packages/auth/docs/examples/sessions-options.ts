import {
  createAuth,
  createSessions,
  memorySessionStore,
  type SessionsOptions,
  type VerifyCredentials,
} from '@acme/auth';

declare const signingKey: string;
declare const verifyCredentials: VerifyCredentials;
const auth = createAuth({ signingKey });

declare const required: SessionsOptions;

{
  //#region SessionsOptions.auth
  const sessions = createSessions({ ...required, auth });
  //#endregion
}

{
  //#region SessionsOptions.store
  const sessions = createSessions({ ...required, store: memorySessionStore() });
  //#endregion
}

{
  //#region SessionsOptions.loadUser
  const users = new Map([['42', { scopes: ['admin'], isDisabled: false }]]);
  const sessions = createSessions({
    ...required,
    loadUser: async (uid) => {
      const user = users.get(uid);
      return user?.isDisabled ? undefined : user;
    },
  });
  //#endregion
}

{
  //#region SessionsOptions.verifyCredentials
  const sessions = createSessions({ ...required, verifyCredentials });
  //#endregion
}

{
  //#region SessionsOptions.rotateEverySeconds
  const sessions = createSessions({ ...required, rotateEverySeconds: 300 });
  //#endregion
}

{
  //#region SessionsOptions.rememberMeTtlSeconds
  const sessions = createSessions({ ...required, rememberMeTtlSeconds: 30 * 86_400 });
  //#endregion
}

{
  //#region SessionsOptions.maxSessionsPerUser
  const sessions = createSessions({ ...required, maxSessionsPerUser: 5 });
  //#endregion
}

{
  //#region SessionsOptions.loginThrottle
  const sessions = createSessions({
    ...required,
    loginThrottle: { maxFailuresPerAccount: 5, windowSeconds: 600 },
  });
  //#endregion
}

{
  //#region SessionsOptions.loginOf
  const sessions = createSessions({
    ...required,
    loginOf: ({ email }) => (typeof email === 'string' ? email.toLowerCase() : undefined),
  });
  //#endregion
}

{
  //#region SessionsOptions.clientAddress
  const sessions = createSessions({
    ...required,
    clientAddress: (request) => request.headers.get('cf-connecting-ip'),
  });
  //#endregion
}

{
  //#region SessionsOptions.beforeLogin
  const sessions = createSessions({ ...required, beforeLogin: ({ ip }) => ip !== '203.0.113.7' });
  //#endregion
}

{
  //#region SessionsOptions.onLogin
  const sessions = createSessions({ ...required, onLogin: ({ uid, ip }) => console.log(uid, ip) });
  //#endregion
}

{
  //#region SessionsOptions.onLoginFailed
  const sessions = createSessions({ ...required, onLoginFailed: ({ code }) => console.warn(code) });
  //#endregion
}

{
  //#region SessionsOptions.onThrottled
  const sessions = createSessions({ ...required, onThrottled: ({ by }) => console.warn(by) });
  //#endregion
}

{
  //#region SessionsOptions.onSessionRevoked
  const sessions = createSessions({
    ...required,
    onSessionRevoked: ({ sessionId, reason }) => console.log(sessionId, reason),
  });
  //#endregion
}

{
  //#region SessionsOptions.onReuseDetected
  const sessions = createSessions({ ...required, onReuseDetected: ({ uid }) => console.warn(uid) });
  //#endregion
}

{
  //#region SessionsOptions.onSessionAnomaly
  const sessions = createSessions({
    ...required,
    onSessionAnomaly: ({ kind, sessionId }) => console.warn(kind, sessionId),
  });
  //#endregion
}

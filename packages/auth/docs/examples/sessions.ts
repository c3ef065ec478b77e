import {
  createAuth,
  createSessions,
  type HostTransaction,
  memorySessionStore,
  type VerifyCredentials,
} from '@acme/auth';

declare const signingKey: string;
declare const verifyCredentials: VerifyCredentials;
const auth = createAuth({ signingKey });

declare const request: Request;
declare const transaction: HostTransaction;
const sessions = createSessions({
  auth,
  store: memorySessionStore(),
  loadUser: async () => ({ scopes: ['admin'] }),
  verifyCredentials,
});

{
  //#region Sessions.basePath
  console.log(sessions.basePath); // /api/admin/auth
  //#endregion
}

{
  //#region Sessions.handler
  const response = await sessions.handler(request, { ip: '203.0.113.7' });
  //#endregion
}

{
  //#region Sessions.serves
  const isOurs = sessions.serves('/api/admin/auth/status'); // true; any other path is your router's
  //#endregion
}

{
  //#region Sessions.login
  const grant = await sessions.login({ login: 'ada', password: 'correct horse battery staple' });
  const response = Response.json({ uid: grant.uid });
  for (const cookie of grant.cookies) response.headers.append('Set-Cookie', cookie);
  //#endregion
}

{
  //#region Sessions.loginAs
  const { cookies } = await sessions.loginAs('42', { ip: '203.0.113.7' }); // after single sign-on
  //#endregion
}

{
  //#region Sessions.status
  const { accessToken } = await sessions.status(auth.readRefreshTokens(request.headers));
  //#endregion
}

{
  //#region Sessions.loadUser
  const user = await sessions.loadUser('42'); // { scopes: ['admin'] }, or nothing
  //#endregion
}

{
  //#region Sessions.logout
  await sessions.logout(auth.readRefreshTokens(request.headers));
  //#endregion
}

{
  //#region Sessions.list
  const { sessions: devices, nextCursor } = await sessions.list('42', { limit: 20 });
  //#endregion
}

{
  //#region Sessions.revoke
  const ended = await sessions.revoke('the id of a session', { uid: '42' });
  //#endregion
}

{
  //#region Sessions.unlock
  await sessions.unlock('ada@example.com'); // support has spoken to the owner
  //#endregion
}

{
  //#region Sessions.readDeviceCookies
  const deviceCookies = sessions.readDeviceCookies(request.headers);
  await sessions.login({ login: 'ada', password: 'correct horse battery staple' }, { deviceCookies });
  //#endregion
}

{
  //#region Sessions.revokeAll
  await sessions.revokeAll('42'); // a new password, a disabled user

  const revocation = await sessions.revokeAll('42', { transaction });
  await revocation.committed(); // once the transaction has committed
  //#endregion
}

{
  //#region Sessions.purgeSessions
  setInterval(() => void sessions.purgeSessions().catch(console.error), 3_600_000).unref();
  //#endregion
}

{
  //#region Sessions.start
  await sessions.start(); // before the first request
  //#endregion
}

{
  //#region Sessions.stats
  console.log(sessions.stats());
  //#endregion
}

{
  //#region Sessions.idle
  await sessions.idle(); // after the server is closed
  //#endregion
}

import { createAuth } from '@acme/auth';

declare const request: Request;
declare const signingKey: string;
const auth = createAuth({ signingKey });

{
  //#region Auth.options
  console.log(auth.options.accessTokenTtlSeconds); // 300
  //#endregion
}

{
  //#region Auth.revocations
  auth.revocations.revokeUser('42'); // in this process, from now on
  auth.revocations.onRevoke((entry) => console.log('publish', entry)); // to the other processes
  //#endregion
}

{
  //#region Auth.issueAccessToken
  const token = await auth.issueAccessToken('42', ['admin'], { ttlSeconds: 60 });
  const headers = { 'Set-Cookie': auth.accessTokenCookie(token) };
  //#endregion
}

{
  //#region Auth.validateAccessToken
  const token = await auth.issueAccessToken('42', ['admin']);
  const { uid, scopes } = await auth.validateAccessToken(token);
  //#endregion
}

{
  //#region Auth.authenticate
  const claims = await auth.authenticate(request); // throws if nobody is logged in
  if (!claims.hasScope('admin')) throw new Error(`User ${claims.uid} is no administrator`);
  //#endregion
}

{
  //#region Auth.assertSameOrigin
  auth.assertSameOrigin(request); // throws AuthError `cross_site`
  //#endregion
}

{
  //#region Auth.stats
  const { accepted, rejected } = auth.stats();
  //#endregion
}

{
  //#region Auth.idle
  await auth.idle(); // after the server is closed
  //#endregion
}

{
  //#region Auth.accessTokenCookie
  const token = await auth.issueAccessToken('42', []);
  const response = new Response(null, { headers: { 'Set-Cookie': auth.accessTokenCookie(token) } });
  //#endregion
}

{
  //#region Auth.refreshTokenCookie
  const cookie = auth.refreshTokenCookie('the refresh token', { maxAgeSeconds: 3_600 });
  //#endregion
}

{
  //#region Auth.clearCookies
  const response = new Response(null, { status: 204 });
  for (const cookie of auth.clearCookies()) response.headers.append('Set-Cookie', cookie);
  //#endregion
}

{
  //#region Auth.readAccessTokens
  const [token] = auth.readAccessTokens(request.headers);
  //#endregion
}

{
  //#region Auth.readRefreshTokens
  const tokens = auth.readRefreshTokens(request.headers); // usually one
  //#endregion
}

import { createAuth } from '@acme/auth';

declare const signingKey: string;
declare const nextKey: string;

{
  //#region AuthOptions.signingKey
  const auth = createAuth({ signingKey });
  //#endregion
}

{
  //#region AuthOptions.signingKeys
  const auth = createAuth({
    signingKeys: [
      { kid: '2026-11', key: signingKey },
      { kid: '2026-12', key: nextKey },
    ],
  });
  //#endregion
}

{
  //#region AuthOptions.cookiePath
  const auth = createAuth({ signingKey, cookiePath: '/api' });
  //#endregion
}

{
  //#region AuthOptions.publicCookiePath
  // Behind a gateway that adds /shop to the paths that browsers see.
  const auth = createAuth({ signingKey, cookiePath: '/api', publicCookiePath: '/shop/api' });
  //#endregion
}

{
  //#region AuthOptions.audience
  const auth = createAuth({ signingKey, audience: 'shop.example/admin' });
  //#endregion
}

{
  //#region AuthOptions.accessTokenTtlSeconds
  const auth = createAuth({ signingKey, accessTokenTtlSeconds: 60 });
  //#endregion
}

{
  //#region AuthOptions.refreshTokenTtlSeconds
  const auth = createAuth({ signingKey, refreshTokenTtlSeconds: 8 * 3_600 });
  //#endregion
}

{
  //#region AuthOptions.secureCookies
  const auth = createAuth({ signingKey, secureCookies: process.env.NODE_ENV === 'production' });
  //#endregion
}

{
  //#region AuthOptions.accessTokenCookieName
  const auth = createAuth({ signingKey, accessTokenCookieName: 'admin_access' });
  //#endregion
}

{
  //#region AuthOptions.refreshTokenCookieName
  const auth = createAuth({ signingKey, refreshTokenCookieName: 'admin_refresh' });
  //#endregion
}

{
  //#region AuthOptions.cookiePrefix
  const auth = createAuth({ signingKey, cookiePath: '/', cookiePrefix: '__Host-' });
  //#endregion
}

{
  //#region AuthOptions.scopes
  const auth = createAuth({ signingKey, scopes: ['admin', 'admin:webhooks'] });
  //#endregion
}

{
  //#region AuthOptions.clockToleranceSeconds
  const auth = createAuth({ signingKey, clockToleranceSeconds: 5 });
  //#endregion
}

{
  //#region AuthOptions.trustedOrigins
  const auth = createAuth({ signingKey, trustedOrigins: ['https://admin.example.com'] });
  //#endregion
}

{
  //#region AuthOptions.dangerouslyAllowCrossSiteRequests
  const auth = createAuth({ signingKey, dangerouslyAllowCrossSiteRequests: true });
  //#endregion
}

{
  //#region AuthOptions.clock
  const auth = createAuth({ signingKey, clock: () => Date.parse('2026-11-24T12:00:00Z') });
  //#endregion
}

{
  //#region AuthOptions.logger
  const auth = createAuth({ signingKey, logger: console });
  //#endregion
}

{
  //#region AuthOptions.onTokenRefused
  const auth = createAuth({
    signingKey,
    onTokenRefused: ({ code, ip }) => console.warn(code, ip),
  });
  //#endregion
}

import type { Auth, OneTimeTokens, Sessions } from '@acme/auth';
import { requireSameOrigin } from '@acme/auth/express';
import express, { type Request, type Router } from 'express';

export interface Application {
  readonly auth: Auth;
  readonly sessions: Sessions;
  readonly tokens: OneTimeTokens;
  /** Yours: ends the provider's protocol, with `state` and PKCE, and finds the user. */
  identify(request: Request): Promise<{ uid: string }>;
}

const PURPOSE = 'finish_log_in';
const page = (token: string) => `<!doctype html>
<title>Logging in</title>
<meta name="log-in-token" content="${token}">
<script type="module" src="/finish-log-in.js"></script>`;

/** Mount it at `<cookiePath>/auth`: browsers send the session that the log-in replaces only there. */
export function redirectLogIn({ auth, sessions, tokens, identify }: Application): Router {
  const router = express.Router();

  // No cookie is set here: a poll in another tab may be under way, and its late answer would win.
  router.get('/callback', (req, res, next) => {
    identify(req)
      .then(({ uid }) => tokens.issue({ uid, purpose: PURPOSE, ttlSeconds: 60 }))
      .then(({ token }) => {
        res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).send(page(token));
      })
      .catch(next);
  });

  router.post('/finish', requireSameOrigin(auth), express.json(), (req, res, next) => {
    tokens
      .consume(req.body?.token, { purpose: PURPOSE })
      .then(({ uid }) => {
        const client = { ip: req.ip, userAgent: req.get('user-agent') };
        return sessions.loginAs(uid, { ...client, refreshTokens: auth.readRefreshTokens(req.headers) });
      })
      .then(({ cookies }) => {
        for (const cookie of cookies) res.append('Set-Cookie', cookie);
        res.sendStatus(204);
      })
      .catch(next);
  });
  return router;
}

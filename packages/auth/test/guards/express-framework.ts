import express from 'express';
import { express4, expressWith, serveListener } from '../../../toolkit/test/framework-hosts.ts';
import { authErrorHandler } from '../../src/express/auth-error-handler.ts';
import * as guards from '../../src/express/guards.ts';
import { mountSessions } from '../../src/express/mount-sessions.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { withClaims } from '../../src/testing/claims-injection.ts';
import type { Framework } from './framework.ts';

export const onExpress5: Framework<guards.Guard> = frameworkOf(express);
export const onExpress4: Framework<guards.Guard> = frameworkOf(express4);

function frameworkOf(create: typeof express): Framework<guards.Guard> {
  return {
    ...guards,
    injecting: (claims) => (request, _response, next) => {
      withClaims(request, claims);
      next();
    },
    async start({ prefix, outer = [], routes = [], before = {}, mount, logger }) {
      const app = expressWith(before, create);
      if (mount?.afterBodyParser) app.use(create.json({ limit: '1mb' }));
      if (mount?.at === 'root') app.use(mountSessions(mount.sessions));
      if (mount?.at === 'its own path') app.use(`${prefix}/auth`, mountSessions(mount.sessions));
      const router = create.Router();
      if (outer.length > 0) router.use(...outer);
      for (const { path, guards, answer } of routes) {
        router.all(path, ...guards, (request, response, next) => {
          try {
            response.json(answer(() => claimsOf(request)));
          } catch (error) {
            next(error);
          }
        });
      }
      app.use(prefix === '' ? '/' : prefix, router);
      app.use(authErrorHandler({ logger }));
      return await serveListener(app);
    },
  };
}

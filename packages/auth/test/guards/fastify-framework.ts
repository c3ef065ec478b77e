import fastify, { type FastifyPluginCallback } from 'fastify';
import { serveFastify } from '../../../toolkit/test/framework-hosts.ts';
import { authErrorHandler } from '../../src/fastify/auth-error-handler.ts';
import * as guards from '../../src/fastify/guards.ts';
import { mountSessions } from '../../src/fastify/mount-sessions.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { withClaims } from '../../src/testing/claims-injection.ts';
import type { Framework } from './framework.ts';

export const onFastify: Framework<guards.Guard> = {
  ...guards,
  injecting: (claims) => (request, _reply, done) => {
    withClaims(request, claims);
    done();
  },
  async start({ prefix, outer = [], routes = [], before = {}, mount, logger }) {
    const app = fastify();
    app.setErrorHandler(authErrorHandler({ logger }));
    // An onSend hook that waits: an answer is then not yet on its way when a guard has refused.
    app.addHook('onSend', async () => {
      await new Promise((resolve) => setImmediate(resolve));
    });
    if (mount?.afterBodyParser) {
      // What @fastify/express and a body parser leave behind: a request that was read, its object
      // beside it.
      app.addHook('preParsing', async (request) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request.raw) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        const isJson = request.headers['content-type'] === 'application/json';
        Object.assign(request.raw, { body: isJson && text !== '' ? JSON.parse(text) : undefined });
        return undefined;
      });
    }
    if (mount?.at === 'root') void app.register(mountSessions(mount.sessions));
    if (mount?.at === 'its own path') {
      void app.register(mountSessions(mount.sessions), { prefix: `${prefix}/auth` });
    }
    const register: FastifyPluginCallback = (scope, _options, done) => {
      for (const guard of outer) scope.addHook('onRequest', guard);
      if (prefix !== '') scope.setNotFoundHandler((_request, reply) => void reply.code(404).send());
      for (const { path, guards, answer } of routes) {
        scope.all(path, { onRequest: [...guards] }, async (request) => answer(() => claimsOf(request)));
      }
      done();
    };
    void app.register(register, { prefix });
    return await serveFastify(app, before);
  },
};

import { serveNodeRequest } from '../../../toolkit/src/node-web/node-exchange.ts';
import { toWebRequest } from '../../../toolkit/src/node-web/node-request.ts';
import { serveListener } from '../../../toolkit/test/framework-hosts.ts';
import { authErrorHandler } from '../../src/fetch/auth-error-handler.ts';
import { guarded, type Wrapper } from '../../src/fetch/guarded.ts';
import * as guards from '../../src/fetch/guards.ts';
import { mountSessions } from '../../src/fetch/mount-sessions.ts';
import type { ConnectionInfo } from '../../src/http/fetch-handler.ts';
import { claimsOf } from '../../src/http/request-claims.ts';
import { serveBounded } from '../../src/http/serve-bounded.ts';
import { withClaims } from '../../src/testing/claims-injection.ts';
import type { Framework } from './framework.ts';

/**
 * What runs the handlers passes the client's address beside the request, as Bun and Deno do in
 * their ways.
 */
const clientIp = (_request: Request, client: unknown) => (client as ConnectionInfo).ip;

/** Handlers of Web requests and nothing else, on a server of Node's. */
export const onFetch: Framework<Wrapper> = {
  ...guards,
  injecting:
    (claims) =>
    (handler) =>
    async (request, ...rest) =>
      await handler(withClaims(request, claims), ...rest),
  async start({ prefix, outer = [], routes = [], before = {}, mount, logger }) {
    const handlers = new Map(
      routes.map(({ path, guards, answer }) => [
        prefix + path,
        guarded(guards, (request) => Response.json(answer(() => claimsOf(request)))),
      ]),
    );
    const route = guarded(outer, async (request) => {
      const handler = handlers.get(new URL(request.url).pathname);
      return (await handler?.(request)) ?? new Response(null, { status: 404 });
    });
    const sessions =
      mount &&
      mountSessions(mount.sessions, { clientIp })((request, _client: ConnectionInfo) => route(request));
    const application = guarded([authErrorHandler({ logger })], async (request, client: ConnectionInfo) => {
      const isMounted = mount?.at === 'root' || new URL(request.url).pathname.startsWith(`${prefix}/auth`);
      return await (isMounted && sessions ? sessions(request, client) : route(request));
    });
    return await serveListener((request, response) => {
      response.setHeaders(new Map(Object.entries(before)));
      const client = { ip: request.socket.remoteAddress };
      serveNodeRequest(request, response, (signal) =>
        serveBounded(application, client, () => toWebRequest(request, { signal })),
      ).catch(() => {
        response.writeHead(500).end();
      });
    });
  },
};

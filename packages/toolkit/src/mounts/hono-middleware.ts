import { answersFor, type Serves } from '../node-web/base-path.ts';
import { type BegunResponse, refuseBegun } from '../node-web/client-signal.ts';
import { pathOf } from '../node-web/node-request.ts';
import { isPlainPath } from '../node-web/plain-path.ts';
import { type HonoRequest, readableRequest } from './hono-request.ts';
import { type AnsweringContext, answerInHono } from './hono-response.ts';

/** The members of Hono's context that the middleware uses. */
export interface MountContext extends AnsweringContext {
  readonly req: HonoRequest;
  readonly env: unknown;
}

/**
 * Serves what lies below a base path with `answer`, as a middleware of Hono 4. Every other path
 * goes to `next()`, and an error of `answer` to the app's `onError`. So does a Node response that a
 * middleware has begun, which is broken off.
 */
export function honoMiddleware<C extends MountContext>(
  basePath: string | undefined,
  answer: (c: C, makeRequest: () => Promise<Request>) => Promise<Response>,
  serves?: Serves,
): (c: C, next: () => Promise<void>) => Promise<Response | undefined> {
  return async (c, next) => {
    if (answersFor(basePath, pathOfHono(c), serves)) {
      refuseBegunByNode(c);
      const response = await answer(c, () => readableRequest(c.req));
      refuseBegunByNode(c);
      return answerInHono(c, response);
    }
    await next();
    return undefined;
  };
}

/** What `@hono/node-server` keeps in the bindings. */
interface NodeBindings {
  readonly incoming?: { readonly url?: string };
  readonly outgoing?: BegunResponse;
}

function refuseBegunByNode({ env }: MountContext): void {
  const { outgoing } = (env ?? {}) as NodeBindings;
  if (outgoing !== undefined) refuseBegun(outgoing);
}

/**
 * Returns the path that the client requested, or undefined for a spelling that URL parsing
 * rewrites. `@hono/node-server` has done that before Hono sees the request, and keeps Node's own in
 * the bindings. No other runtime shows what was sent.
 */
function pathOfHono({ req, env }: MountContext): string | undefined {
  const { url } = req.raw;
  const { pathname } = new URL(url);
  const { incoming } = (env ?? {}) as NodeBindings;
  const isPlain = incoming?.url === undefined || pathOf(incoming.url) !== undefined;
  return isPlain && isPlainPath(url, pathname) ? pathname : undefined;
}

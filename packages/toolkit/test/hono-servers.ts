import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';

type Fetch = (request: Request) => Response | Promise<Response>;
/** What is used of a release of `@hono/node-server`. */
interface NodeServer {
  readonly getRequestListener: (fetch: Fetch) => RequestListener;
}

/**
 * Each release keeps the globals that it finds when it is loaded, and puts its own in their place:
 * `fetch` then, `Request` and `Response` with the first listener. They are those of Node again for
 * the next release, and for the next test.
 */
const ofNode = { Request: builtIn(Request), Response: builtIn(Response), fetch };

function builtIn<T extends object>(replaced: T): T {
  const base: unknown = Object.getPrototypeOf(replaced);
  return base === Function.prototype ? replaced : builtIn(base as T);
}

async function loaded(load: () => Promise<unknown>): Promise<(fetch: Fetch) => RequestListener> {
  Object.assign(globalThis, ofNode);
  const { getRequestListener } = (await load()) as NodeServer;
  Object.assign(globalThis, ofNode);
  return (fetch) => {
    Object.assign(globalThis, ofNode);
    onTestFinished(() => void Object.assign(globalThis, ofNode));
    return getRequestListener(fetch);
  };
}

/** Listeners of Node's for an application of Hono, by the release of `@hono/node-server`. */
export const HONO_SERVERS = {
  '2': await loaded(() => import('@hono/node-server')),
  '1.19': await loaded(() => import('hono-node-server-1.19')),
  '1.14': await loaded(() => import('hono-node-server-1.14')),
} as const;

import type { HeadersBefore, Served } from '../../../toolkit/test/framework-hosts.ts';
import type { FetchHandler } from '../../src/http/fetch-handler.ts';
import type { Framework, Mount } from './framework.ts';

export interface ServeHandlerOptions {
  readonly afterBodyParser?: boolean;
  /** Whether the handler names its path. Default true. */
  readonly named?: boolean;
  readonly before?: HeadersBefore;
}

/** Serves a handler below `/auth`, beside a route of the host's, `/host`. */
export async function serveHandler<G>(
  framework: Framework<G>,
  { prefix, at }: { readonly prefix: string; readonly at: Mount['at'] },
  handler: FetchHandler,
  { afterBodyParser = false, named = true, before = {} }: ServeHandlerOptions = {},
): Promise<Served> {
  return await framework.start({
    prefix,
    routes: [{ path: '/host', guards: [], answer: () => ({ from: 'host' }) }],
    before,
    mount: { sessions: named ? { handler, basePath: `${prefix}/auth` } : { handler }, at, afterBodyParser },
  });
}

/** Answers with what it was asked. */
export const echo: FetchHandler = async (request) =>
  Response.json({ method: request.method, url: request.url, body: await request.text() });

/** What {@link echo} was asked. */
export async function echoed(response: Response): Promise<{ method: string; url: string; body: string }> {
  return (await response.json()) as { method: string; url: string; body: string };
}

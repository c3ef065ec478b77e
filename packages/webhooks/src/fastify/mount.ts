import type { IncomingMessage, ServerResponse } from 'node:http';
import { discardRest } from '../http/discard-request.ts';
import { answersFor, type FetchHandler } from '../http/fetch-handler.ts';
import { answerNodeRequest } from '../http/node-exchange.ts';
import { pathOf } from '../http/node-request.ts';

interface PluginRequest {
  readonly raw: IncomingMessage;
  /** What the parser below leaves: the bytes as a stream. */
  readonly body?: unknown;
}

interface PluginReply {
  readonly raw: ServerResponse;
  callNotFound(): unknown;
}

/** What the plugin needs of a Fastify instance. */
export interface PluginHost {
  readonly prefix: string;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: '*',
    parser: (
      request: PluginRequest,
      payload: IncomingMessage,
      done: (error: null, body: unknown) => void,
    ) => void,
  ): unknown;
  all(path: string, handler: (request: PluginRequest, reply: PluginReply) => Promise<unknown>): unknown;
}

/** A plugin of Fastify 5. */
export type FastifyMount = (instance: PluginHost, options: object, done: (error?: Error) => void) => void;

/**
 * Serves a fetch handler, such as the admin API, from Fastify 5.
 *
 * ```ts
 * app.register(mount(createAdminApi(webhooks, { authorize })));
 * ```
 *
 * The plugin has routes for the handler's `basePath` and what lies below, in a context of its own: the app's hooks
 * apply, its content type parsers and its body limit do not (the handler reads the body, and bounds it). A `prefix`
 * has to be the beginning of `basePath`; a handler that names none answers for the prefix it is registered under.
 * A handler that throws goes to the app's error handler.
 *
 * @throws TypeError when the handler is no function; while the app starts, when the prefix and `basePath` do not fit
 */
export function mount(handler: FetchHandler): FastifyMount {
  if (typeof handler !== 'function') throw new TypeError('mount: handler must be a function');
  return (instance, _options, done) => {
    const prefix = instance.prefix.replace(/\/$/, '');
    const path = handler.basePath ?? prefix;
    if (path !== prefix && !path.startsWith(`${prefix}/`)) {
      done(new TypeError(`mount: ${path} does not lie below the prefix ${prefix}`));
      return;
    }
    // Nothing is parsed, nothing counted: the body passes through as the stream it is, whatever its type claims.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    const serve = async ({ raw, body }: PluginRequest, reply: PluginReply) => {
      // A router that ignores case or trailing slashes finds more paths than the handler has.
      if (!answersFor(handler, pathOf(raw))) return reply.callNotFound();
      reply.raw.once('finish', () => discardRest(raw));
      return await answerNodeRequest(handler, raw, reply.raw, isStream(body) ? body : undefined);
    };
    const below = path.slice(prefix.length);
    instance.all(below === '' ? '/' : below, serve);
    instance.all(`${below}/*`, serve);
    done();
  };
}

/** Any stream: a `preParsing` hook of the app may have put another in the place of the request. */
function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

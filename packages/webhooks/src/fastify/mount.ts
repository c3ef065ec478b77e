import type { IncomingMessage, ServerResponse } from 'node:http';
import { discardRest } from '../http/discard-request.ts';
import { answersFor, type FetchHandler } from '../http/fetch-handler.ts';
import { answerNodeRequest } from '../http/node-exchange.ts';
import { pathOf } from '../http/node-request.ts';

interface PluginRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  /** As Fastify and its hooks see them. Setting them does not change those of `raw`. */
  headers: IncomingMessage['headers'];
  /** The result of the parser below: the bytes as a stream. */
  readonly body?: unknown;
}

interface PluginReply {
  readonly raw: ServerResponse;
  callNotFound(): unknown;
}

/** The members of a Fastify instance that the plugin uses. */
export interface PluginHost {
  readonly prefix: string;
  addHook(
    name: 'preParsing',
    hook: (request: PluginRequest, reply: PluginReply, payload: object, done: () => void) => void,
  ): unknown;
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

/** Methods whose body Fastify never parses, whatever its content type. */
const BODILESS: readonly string[] = ['GET', 'HEAD', 'TRACE'];

/** A plugin of Fastify 5. */
export type FastifyMount = (instance: PluginHost, options: object, done: (error?: Error) => void) => void;

/**
 * Serves a fetch handler, such as the admin API, from Fastify 5.
 *
 * ```ts
 * app.register(mount(createAdminApi(webhooks, { authorize })));
 * ```
 *
 * The plugin registers routes for the handler's `basePath` and everything below it, in a context of
 * its own. The app's hooks apply. Its content type parsers and its body limit do not: the handler
 * reads the body, and limits it. A `prefix` must be the start of `basePath`; a handler without a
 * `basePath` serves the prefix that it is registered under. An error of the handler goes to the
 * app's error handler.
 *
 * @throws TypeError if the handler is not a function; while the app starts, if the prefix does not
 *   fit `basePath`
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
    // The body is neither parsed nor measured, but passes through as a stream, whatever its content
    // type.
    instance.removeAllContentTypeParsers();
    // Fastify refuses a malformed content type before it calls a parser. Between the app's hooks
    // and the parser it sees another one, while the raw headers stay as they were sent.
    instance.addHook('preParsing', (request, _reply, _payload, next) => {
      if (!BODILESS.includes(request.method)) showContentType(request, 'application/octet-stream');
      next();
    });
    instance.addContentTypeParser('*', (request, payload, parsed) => {
      showContentType(request, request.raw.headers['content-type']);
      parsed(null, payload);
    });
    const serve = async ({ raw, body }: PluginRequest, reply: PluginReply) => {
      // A router that ignores case or trailing slashes matches more paths than the handler serves.
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

function showContentType(request: PluginRequest, type: string | undefined): void {
  if (request.headers['content-type'] === undefined || type === undefined) return;
  request.headers = { ...request.headers, 'content-type': type };
}

/**
 * Accepts any stream, because a `preParsing` hook of the app may have replaced that of the request.
 */
function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { discardRest } from '../http/discard-request.ts';
import { answersFor, type FetchHandler } from '../http/fetch-handler.ts';
import { answerNodeRequest } from '../http/node-exchange.ts';
import { pathOf } from '../http/node-request.ts';

interface PluginRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  /** As Fastify and its hooks see them; what is set here leaves those of `raw` as they are. */
  headers: IncomingMessage['headers'];
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

/** Methods of which Fastify parses no body, whatever type is claimed. */
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
    // Fastify answers a malformed type itself, before a parser is asked. Between the hooks of the app and the parser it is
    // shown another one, beside the raw headers, which stay as they were sent.
    instance.addHook('preParsing', (request, _reply, _payload, next) => {
      if (!BODILESS.includes(request.method)) showContentType(request, 'application/octet-stream');
      next();
    });
    instance.addContentTypeParser('*', (request, payload, parsed) => {
      showContentType(request, request.raw.headers['content-type']);
      parsed(null, payload);
    });
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

function showContentType(request: PluginRequest, type: string | undefined): void {
  if (request.headers['content-type'] === undefined || type === undefined) return;
  request.headers = { ...request.headers, 'content-type': type };
}

/** Any stream: a `preParsing` hook of the app may have put another in the place of the request. */
function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { dropForeignHeaders, type RemovableHeaders } from '../node-web/add-headers.ts';
import { answersFor, type Serves } from '../node-web/base-path.ts';
import { clientSignal, refuseBegun } from '../node-web/client-signal.ts';
import { discardRestOnceWritten } from '../node-web/discard-request.ts';
import { pathOf, type RequestExtras } from '../node-web/node-request.ts';

/** The members of a Fastify request that the plugin uses. */
export interface PluginRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  /** As Fastify and its hooks see them. Setting them does not change those of `raw`. */
  headers: IncomingMessage['headers'];
  /** The client's address by Fastify's setting `trustProxy`. */
  readonly ip: string;
  /** The result of the parser below: the bytes as a stream. */
  readonly body?: unknown;
}

interface PluginReply extends RemovableHeaders {
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
  all(
    path: string,
    options: { bodyLimit: number; config: { rawBody: boolean } },
    handler: (request: PluginRequest, reply: PluginReply) => Promise<unknown>,
  ): unknown;
}

export type FastifyPlugin = (instance: PluginHost, options: object, done: (error?: Error) => void) => void;

/** Methods whose body Fastify never parses, whatever its content type. */
const BODILESS: readonly string[] = ['GET', 'HEAD', 'TRACE'];

/** No limit: the reader has one. `rawBody` keeps fastify-raw-body from reading the body. */
const ROUTE_OPTIONS = { bodyLimit: Number.MAX_SAFE_INTEGER, config: { rawBody: false } };

/**
 * Creates a plugin with routes for a base path and everything below it, in a context of its own.
 * The app's hooks apply, its content type parsers do not. Fastify sends the `Response`.
 *
 * @param name the function that the host calls, for error messages
 * @param basePath must start with the `prefix` of the instance; undefined stands for that prefix
 * @throws TypeError while the app starts, if the prefix does not fit the base path
 */
export function fastifyPlugin(
  name: string,
  basePath: string | undefined,
  answer: (request: PluginRequest, extras: RequestExtras, outgoing: ServerResponse) => Promise<Response>,
  serves?: Serves,
): FastifyPlugin {
  return (instance, _options, done) => {
    const prefix = instance.prefix.replace(/\/$/, '');
    const path = basePath ?? prefix;
    if (path !== prefix && !path.startsWith(`${prefix}/`)) {
      return done(new TypeError(`${name}: ${path} does not lie below the prefix ${prefix}`));
    }
    passBodiesUnread(instance);
    const serve = async (request: PluginRequest, reply: PluginReply) => {
      // As routed, after `rewriteUrl`; a router that ignores case matches more than we serve.
      const { url: target = '' } = request.raw;
      if (!answersFor(basePath, pathOf(target), serves)) return reply.callNotFound();
      discardRestOnceWritten(request.raw, reply.raw);
      const payload = isStream(request.body) ? request.body : undefined;
      if (payload !== request.raw) reply.raw.once('close', () => payload?.destroy?.());
      dropForeignHeaders(reply);
      const extras = { signal: clientSignal(reply.raw), target, payload };
      return await answer(request, extras, reply.raw).finally(() => refuseBegun(reply.raw));
    };
    const below = path.slice(prefix.length);
    for (const at of [below || '/', `${below}/*`]) instance.all(at, ROUTE_OPTIONS, serve);
    done();
  };
}

/**
 * Fastify refuses a malformed content type, and a QUERY without one, before it calls a parser.
 * Between the app's hooks and the parser it sees another one, while the raw headers stay as sent.
 */
function passBodiesUnread(instance: PluginHost): void {
  instance.removeAllContentTypeParsers();
  instance.addHook('preParsing', (request, _reply, _payload, next) => {
    const isTyped = request.headers['content-type'] !== undefined || request.method === 'QUERY';
    if (isTyped && !BODILESS.includes(request.method)) showContentType(request, 'application/octet-stream');
    next();
  });
  instance.addContentTypeParser('*', (request, payload, parsed) => {
    showContentType(request, request.raw.headers['content-type']);
    // A stream that fails while nobody reads it would end the process. Its reader gets the error.
    payload.on('error', () => {});
    parsed(null, payload);
  });
}

function showContentType(request: PluginRequest, type: string | undefined): void {
  request.headers = { ...request.headers, 'content-type': type };
}

/** Accepts any stream: a `preParsing` hook of the app may have replaced that of the request. */
function isStream(body: unknown): body is AsyncIterable<Uint8Array> & { readonly destroy?: () => void } {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveBounded } from '../http/bounded-exchange.ts';
import { clientSignal } from '../http/client-signal.ts';
import { type Mountable, mounted } from '../http/fetch-handler.ts';
import { pathOf, toWebRequest } from '../http/node-request.ts';
import { discardRest } from '../http/node-response.ts';

interface PluginRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  /** As Fastify and its hooks see them; what is set here leaves those of `raw` as they are. */
  headers: IncomingMessage['headers'];
  /** The client's address by Fastify's setting `trustProxy`. */
  readonly ip: string;
  /** What the parser below left: the bytes as a stream. */
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
  all(
    path: string,
    options: { bodyLimit: number },
    handler: (request: PluginRequest, reply: PluginReply) => Promise<unknown>,
  ): unknown;
}

/** Methods of which Fastify parses no body, whatever type is claimed. */
const BODILESS: readonly string[] = ['GET', 'HEAD', 'TRACE'];

/** A plugin of Fastify 5. */
export type SessionsPlugin = (instance: PluginHost, options: object, done: (error?: Error) => void) => void;

/**
 * Serves the endpoints of `createSessions`, or another fetch handler, from Fastify 5.
 *
 * ```ts
 * app.register(mountSessions(sessions));
 * ```
 *
 * The plugin has routes for `<cookiePath>/auth` and what lies below, in a context of its own: the content type
 * parsers of the app do not apply, its hooks do. Of a body at most 64 KiB are read. A `prefix` has to be the
 * beginning of that path; a handler that names no `basePath` answers for the prefix it is registered under.
 *
 * What Fastify refuses before it knows a route does not reach the plugin: a path that cannot be decoded (`%zz`), and a
 * method that the app does not support (`PROPFIND`). Those are answered in Fastify's own format, by its option
 * `frameworkErrors` and its not-found handler.
 *
 * @throws TypeError while the app starts, when the prefix and the path do not fit
 */
export function mountSessions(sessions: Mountable): SessionsPlugin {
  const { handler, basePath, answersFor } = mounted(sessions);
  return (instance, _options, done) => {
    const prefix = instance.prefix.replace(/\/$/, '');
    const path = basePath ?? prefix;
    if (path !== prefix && !path.startsWith(`${prefix}/`)) {
      done(new TypeError(`mountSessions: ${path} does not lie below the prefix ${prefix}`));
      return;
    }
    // The handler reads the body itself: bytes, whatever their type claims to be.
    instance.removeAllContentTypeParsers();
    // Fastify answers a malformed type itself, before a parser is asked, and a QUERY without one. Between the hooks of the
    // app and the parser it is shown another one, beside the raw headers, which stay as they were sent.
    instance.addHook('preParsing', (request, _reply, _payload, next) => {
      const isTyped = request.headers['content-type'] !== undefined || request.method === 'QUERY';
      if (isTyped && !BODILESS.includes(request.method)) showContentType(request, 'application/octet-stream');
      next();
    });
    instance.addContentTypeParser('*', (request, payload, parsed) => {
      showContentType(request, request.raw.headers['content-type']);
      parsed(null, payload);
    });
    const serve = async ({ raw, ip, body }: PluginRequest, reply: PluginReply) => {
      if (!answersFor(pathOf(raw))) return reply.callNotFound();
      const signal = clientSignal(reply.raw);
      reply.raw.once('finish', () => discardRest(raw));
      return await serveBounded(handler, { ip }, () => toWebRequest(raw, signal, bytesOf(body)));
    };
    const below = path.slice(prefix.length);
    // The bound is ours: the parser reads nothing, and every framework answers 413 alike.
    const options = { bodyLimit: Number.MAX_SAFE_INTEGER };
    instance.all(below === '' ? '/' : below, options, serve);
    instance.all(`${below}/*`, options, serve);
    done();
  };
}

function showContentType(request: PluginRequest, type: string | undefined): void {
  request.headers = { ...request.headers, 'content-type': type };
}

/** The payload, where a `preParsing` hook of the app has put another stream in the place of the request. */
function bytesOf(body: unknown): AsyncIterable<Uint8Array> | undefined {
  return typeof body === 'object' && body !== null && isIterable(body) ? body : undefined;
}

function isIterable(body: object): body is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in body;
}

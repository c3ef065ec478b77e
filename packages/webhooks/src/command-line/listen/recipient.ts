import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHeaders } from '../scheme-check.ts';

/** Twice the size of the largest payload. */
const MAX_BODY_BYTES = 524_288;

/** Connections at the same time. With bodies of the largest size, they hold 128 MiB. */
const MAX_CONNECTIONS = 256;

/** The time for the headers, and for the whole request: a sender that drips is cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** The time after which a request that is left without an answer is cut off. */
const MAX_HANG_MS = 600_000;

/** A request, read to its end. */
export interface IncomingCallback {
  readonly receivedAt: Date;
  readonly method: string;
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
}

/** For how long a busy recipient asks to wait: a developer sees the next attempt soon. */
const BUSY_SECONDS = '5';

/** What goes back. Without a status, nothing does. */
export interface OutgoingAnswer {
  readonly status: number | undefined;
  readonly delayMs: number;
  /** One line of text that the sender may show. */
  readonly text: string;
}

/**
 * Creates the server of `listen`. Bodies, headers, times and connections are bounded: what reaches
 * a port of a developer's machine may be hostile.
 */
export function createRecipient(onCallback: (callback: IncomingCallback) => Promise<OutgoingAnswer>): Server {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = new Date();
    if (request.method !== 'POST') {
      return end(response, 405, 'This is a recipient of webhooks: it takes POST.', { Allow: 'POST' });
    }
    const body = await readBody(request);
    if (body === undefined) return end(response, 413, `A body has at most ${MAX_BODY_BYTES} bytes.`);
    const { method, url: path = '/' } = request;
    const callback = { receivedAt, method, path, headers: headersOf(request), body };
    const { status, delayMs, text } = await onCallback(callback);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    await sleep(status === undefined ? MAX_HANG_MS : delayMs, undefined, { signal: gone.signal });
    if (status === undefined) response.destroy();
    else end(response, status, text, status === 429 ? { 'Retry-After': BUSY_SECONDS } : {});
  }

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      // A sender that breaks off is not answered.
      serve(request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** Reads a body. Gives nothing if it is too large: the rest is not read then. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Not `for await`, which destroys the request when it is left, and the answer with it.
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) return void chunks.push(chunk);
      request.pause();
      resolve(undefined);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The sender broke off.')));
  });
}

/** Keeps repeated headers apart, which `request.headers` joins. */
function headersOf({ rawHeaders }: IncomingMessage): RequestHeaders {
  const headers = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[index + 1] ?? '']);
  }
  return Object.fromEntries(headers);
}

function end(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const isEmpty = status === 204 || status === 205 || status === 304;
  // What is left of a refused body is not read, so the connection cannot serve another request.
  if (status === 405 || status === 413) response.setHeader('Connection', 'close');
  response.writeHead(status, isEmpty ? headers : { 'Content-Type': 'text/plain; charset=utf-8', ...headers });
  response.end(isEmpty ? undefined : `${text}\n`);
}

import type { Socket } from 'node:net';
import type { buildConnector, Client, Dispatcher } from 'undici';
import { isSetImmediateFaked } from '../progress-timers.ts';
import type { HttpClient } from './http-client.ts';
import { createIdleConnections } from './idle-connections.ts';
import { SendFailureError } from './send-result.ts';

/**
 * The most idle connections, over all origins. Beyond that, the one that has been idle longest is
 * closed.
 */
export const MAX_IDLE_CONNECTIONS = 256;

/**
 * The age after which a connection takes no further request, so that a changed DNS record takes
 * effect.
 */
export const MAX_CONNECTION_AGE_MS = 60_000;

/**
 * How long a connection stays idle, and how far a recipient's `Keep-Alive` header can extend that.
 */
const IDLE_MS = 4000;
const MAX_IDLE_MS = 10_000;

const MAX_RESPONSE_HEADER_BYTES = 16_384;

/**
 * The most bytes that a recipient may send in response to one request. The limits on headers and
 * body end most floods far earlier; this one ends an endless status line or chunk extension, which
 * are neither.
 */
export const MAX_RESPONSE_BYTES = 1_048_576;

/**
 * One connection to one origin, in use by one request. It connects when the request is dispatched.
 */
export interface Connection {
  readonly dispatcher: Dispatcher;
  /**
   * True if the recipient may have closed the connection before the request reached it: the
   * connection has served another request, and no byte has arrived since this one was dispatched.
   */
  wentStale(): boolean;
  /**
   * Returns the connection to the pool after a complete response, for the next request to its
   * origin.
   */
  release(): void;
  /** Closes the connection, even while it is connecting. Idempotent. */
  destroy(): void;
}

/** The connection pool of one egress. Each request in flight uses one connection. */
export interface Connections {
  /** Takes the most recently used idle connection to `origin`, or opens a new one. */
  take(origin: string): Connection;
  /** Opens a new connection to `origin`. */
  open(origin: string): Connection;
  /** Closes every connection. */
  destroy(): void;
}

interface PooledConnection extends Connection {
  readonly origin: string;
  readonly openedAt: number;
  /** True if a part of the last request is still unsent, although its response is complete. */
  isSending(): boolean;
  /** Resets the count of received bytes for the next request. */
  meter(): void;
}

/**
 * Creates the connection pool of one egress. Its connections connect only through `connectorFor`.
 *
 * The pool never carries a request that another policy vetted, and ignores the process's global
 * dispatcher and the proxy variables of its environment. It has one undici `Client` per connection
 * instead of an undici `Pool`: the client of an aborted request can be destroyed, where a `Pool`
 * would reconnect for nothing.
 *
 * @param connectorFor creates the connector of one connection. The signal fires when the connection
 *   is destroyed.
 * @param now a monotonic clock in milliseconds.
 */
export function createConnections(
  httpClient: HttpClient,
  connectorFor: (signal: AbortSignal) => buildConnector.connector,
  now: () => number = () => performance.now(),
): Connections {
  const idle = createIdleConnections<PooledConnection>();
  const open = new Set<PooledConnection>();
  const isOld = ({ openedAt }: PooledConnection): boolean => now() - openedAt > MAX_CONNECTION_AGE_MS;

  // A recipient that answered early may never read the rest of the request, and would delay the
  // next one.
  const isReady = ({ isSending }: PooledConnection): boolean => !isSending() && !isSetImmediateFaked();

  const create = (origin: string): PooledConnection => {
    const ending = new AbortController();
    let socket: Socket | undefined;
    let readBefore = 0;
    const connector = connectorFor(ending.signal);
    // undici reconnects if a kept-alive socket closes before the request is written.
    const client = createClient(httpClient, origin, (options, callback) => {
      socket = undefined;
      readBefore = 0;
      connector(options, (...[error, connected]) => {
        if (error !== null) return callback(error, null);
        socket = connected;
        callback(null, connected);
      });
    });
    const endFlood = (): void => {
      if (socket === undefined || socket.bytesRead - readBefore <= MAX_RESPONSE_BYTES) return;
      socket.destroy(new SendFailureError('invalid_response'));
    };
    const connection: PooledConnection = {
      origin,
      openedAt: now(),
      dispatcher: client,
      wentStale: () => readBefore > 0 && socket?.bytesRead === readBefore,
      isSending: () => (socket?.writableLength ?? 0) > 0,
      meter() {
        readBefore = socket?.bytesRead ?? 0;
      },
      release() {
        if (!client.stats.connected || !open.has(connection) || isOld(connection)) {
          connection.destroy();
          return;
        }
        idle.add(connection);
        if (idle.count() > MAX_IDLE_CONNECTIONS) idle.first()?.destroy();
      },
      destroy() {
        idle.remove(connection);
        if (!open.delete(connection)) return;
        ending.abort();
        client.destroy().catch(() => undefined);
      },
    };
    // Not before `connect`: undici does not listen until then, and would miss the first `readable`.
    client.on('connect', () => socket?.on('readable', endFlood));
    // The recipient or the idle timeout has closed an idle connection.
    client.on('disconnect', () => {
      if (idle.has(connection)) connection.destroy();
    });
    open.add(connection);
    return connection;
  };

  const takeIdle = (origin: string): PooledConnection | undefined => {
    const next = (): PooledConnection | undefined => idle.lastOf(origin, isReady);
    for (let last = next(); last !== undefined; last = next()) {
      idle.remove(last);
      if (!isOld(last)) return last;
      last.destroy();
    }
    return undefined;
  };

  return {
    take(origin) {
      const connection = takeIdle(origin) ?? create(origin);
      connection.meter();
      return connection;
    },
    open: create,
    destroy() {
      for (const connection of open) connection.destroy();
    },
  };
}

function createClient(HttpClient: HttpClient, origin: string, connect: buildConnector.connector): Client {
  return new HttpClient(origin, {
    connect,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    allowH2: false,
    // One deadline covers the whole exchange, so undici's own timers are redundant.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

import type { Socket } from 'node:net';
// By its file: Bun answers the bare name with a client of its own, which ignores connectors.
import { type buildConnector, Client, type Dispatcher } from 'undici/index.js';
import { createIdleConnections } from './idle-connections.ts';
import { SendFailureError } from './send-result.ts';

/** The most idle connections that are kept, over all origins; the one idle longest makes room. */
export const MAX_IDLE_CONNECTIONS = 256;

/** The age after which a connection takes no further request: a changed DNS record is followed by then. */
export const MAX_CONNECTION_AGE_MS = 60_000;

/** How long a connection stays idle, and the most that a recipient's `Keep-Alive` header can make of it. */
const IDLE_MS = 4000;
const MAX_IDLE_MS = 10_000;

const MAX_RESPONSE_HEADER_BYTES = 16_384;

/**
 * The most bytes that a recipient may send in answer to one request. The limits on headers and body end most floods
 * far earlier; this one ends those that are neither: a status line, or the extension of a chunk, without end.
 */
export const MAX_RESPONSE_BYTES = 1_048_576;

/** One connection to one origin, in use by one request. It connects when the request is dispatched. */
export interface Connection {
  readonly dispatcher: Dispatcher;
  /**
   * True if the recipient may have closed the connection before the request reached it: the connection has served
   * another request, and no byte has come since this one was dispatched.
   */
  wentStale(): boolean;
  /** Gives the connection back after a complete response, for the next request to its origin. */
  release(): void;
  /** Closes the connection, also while it is being made. Idempotent. */
  destroy(): void;
}

/** The connections of one egress. In use there are as many as there are requests under way. */
export interface Connections {
  /** Takes an idle connection to `origin`, the one used last, or a new one. */
  take(origin: string): Connection;
  /** Makes a new connection to `origin`. */
  open(origin: string): Connection;
  /** Closes every connection. */
  destroy(): void;
}

interface KeptConnection extends Connection {
  readonly origin: string;
  readonly openedAt: number;
  /** True if a part of the last request is still to be sent, although its answer is complete. */
  isSending(): boolean;
  /** Begins to count what the recipient sends, for the next request. */
  meter(): void;
}

/**
 * Creates the connections of one egress, all of which connect through `connectorFor` and nothing else.
 *
 * A request that another policy vetted never runs on them, and neither the process's global dispatcher nor the
 * proxy variables of its environment are consulted. There is one undici `Client` per connection rather than a
 * `Pool`: a client whose request is aborted can be destroyed, where a pool would connect anew for nothing.
 *
 * @param connectorFor makes the connector of one connection; the signal fires when that is destroyed.
 * @param now a monotonic clock in milliseconds.
 */
export function createConnections(
  connectorFor: (signal: AbortSignal) => buildConnector.connector,
  now: () => number = () => performance.now(),
): Connections {
  const idle = createIdleConnections<KeptConnection>();
  const open = new Set<KeptConnection>();
  const isOld = ({ openedAt }: KeptConnection): boolean => now() - openedAt > MAX_CONNECTION_AGE_MS;

  // A recipient that answered early may still read the request; one that never does would keep the next one waiting.
  const isReady = ({ isSending }: KeptConnection): boolean => !isSending();

  const create = (origin: string): KeptConnection => {
    const ending = new AbortController();
    let socket: Socket | undefined;
    let readBefore = 0;
    const connector = connectorFor(ending.signal);
    // undici connects anew where a kept-alive socket closes before the request is written.
    const client = createClient(origin, (options, callback) => {
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
    const connection: KeptConnection = {
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
    // Not before: until then, undici does not read, and must not miss what makes it begin.
    client.on('connect', () => socket?.on('readable', endFlood));
    // An idle connection that the recipient or the idle time has closed is of no use any more.
    client.on('disconnect', () => {
      if (idle.has(connection)) connection.destroy();
    });
    open.add(connection);
    return connection;
  };

  const takeIdle = (origin: string): KeptConnection | undefined => {
    const next = (): KeptConnection | undefined => idle.lastOf(origin, isReady);
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

function createClient(origin: string, connect: buildConnector.connector): Client {
  return new Client(origin, {
    connect,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    allowH2: false,
    // One deadline covers the whole exchange; undici's own timers would only repeat it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

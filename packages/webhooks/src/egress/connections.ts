import { type Connection, openConnection } from './connection.ts';
import type { Connect } from './connector.ts';
import { createIdleConnections } from './idle-connections.ts';

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

/** The connection pool of one egress. Each request in flight uses one connection. */
export interface Connections {
  /** Takes the most recently used idle connection to `origin`, or opens a new one. */
  take(origin: string): Connection;
  /** Opens a new connection to `origin`. */
  open(origin: string): Connection;
  /**
   * Returns a connection after an exactly framed response, for the next request to its origin.
   *
   * @param idleMs how long it waits for that; 0 closes it.
   */
  release(connection: Connection, idleMs: number): void;
  /** Closes every connection. */
  destroy(): void;
}

/**
 * Creates the connection pool of one egress. Its connections connect only through `connect`.
 *
 * The pool never carries a request that another policy vetted, and uses no HTTP client: none that
 * the process has configured for a proxy, and none that a tracing tool adds headers to.
 *
 * @param now a monotonic clock in milliseconds.
 */
export function createConnections(
  connect: Connect,
  now: () => number = () => performance.now(),
): Connections {
  const idle = createIdleConnections<Connection>();
  const openedAt = new Map<Connection, number>();
  const isOld = (connection: Connection): boolean =>
    now() - (openedAt.get(connection) ?? 0) > MAX_CONNECTION_AGE_MS;

  const open = (origin: string): Connection => {
    const connection = openConnection(origin, connect, () => {
      idle.remove(connection);
      openedAt.delete(connection);
    });
    openedAt.set(connection, now());
    return connection;
  };

  return {
    open,
    take(origin) {
      for (let last = idle.lastOf(origin); last !== undefined; last = idle.lastOf(origin)) {
        idle.remove(last);
        if (!isOld(last)) return last;
        last.destroy();
      }
      return open(origin);
    },
    release(connection, idleMs) {
      if (idleMs === 0 || isOld(connection)) connection.destroy();
      else if (connection.rest(idleMs)) idle.add(connection);
      if (idle.count() > MAX_IDLE_CONNECTIONS) idle.first()?.destroy();
    },
    destroy() {
      for (const connection of openedAt.keys()) connection.destroy();
    },
  };
}

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

/**
 * The most requests that a connection serves in a row. Before it serves another, it must have been
 * quiet for {@link QUIET_MS}: a second answer to one request, which would be taken for the answer
 * to the next and shift all later ones, then meets an idle connection. The quiet before every reuse
 * took 1.1 to 1.3 times as long per delivery; after four in a row it is within the noise
 * (`bench/delivery.ts`).
 */
export const MAX_REQUESTS_IN_A_ROW = 4;
export const QUIET_MS = 100;

/**
 * The most origins whose connections serve one request each, because a connection to them received
 * something that nobody had asked for. Beyond that, the first of them is forgotten.
 */
const MAX_ONE_REQUEST_ORIGINS = 1_000;

/** The use of an open connection; times as `now` gives them. */
interface Use {
  readonly openedAt: number;
  restsSince: number;
  requestsInARow: number;
}

/** Where a connection leads, and for whom. Tenants never share one. */
export interface ConnectionTarget {
  readonly origin: string;
  /** Default: '', the host. */
  readonly tenant?: string | undefined;
}

/** An origin has no space. */
function keyOf({ origin, tenant = '' }: ConnectionTarget): string {
  return `${origin} ${tenant}`;
}

/** The connection pool of one egress. Each request in flight uses one connection. */
export interface Connections {
  /** Takes the idle connection to that target that was used last and may serve, or opens one. */
  take(target: ConnectionTarget): Connection;
  /** Opens a new connection to that target. */
  open(target: ConnectionTarget): Connection;
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
  const uses = new Map<Connection, Use>();
  const oneRequestKeys = new Set<string>();
  const isOld = (connection: Connection): boolean =>
    now() - (uses.get(connection)?.openedAt ?? 0) > MAX_CONNECTION_AGE_MS;
  const isQuiet = ({ restsSince }: Use): boolean => now() - restsSince >= QUIET_MS;

  const mayServe = (connection: Connection): boolean => {
    const use = uses.get(connection);
    return use !== undefined && (use.requestsInARow < MAX_REQUESTS_IN_A_ROW || isQuiet(use));
  };

  const open = (target: ConnectionTarget): Connection => {
    const key = keyOf(target);
    const onClosed = (): void => {
      idle.remove(connection);
      uses.delete(connection);
    };
    const onSurplus = (): void => {
      oneRequestKeys.add(key);
      const [first = key] = oneRequestKeys;
      if (oneRequestKeys.size > MAX_ONE_REQUEST_ORIGINS) oneRequestKeys.delete(first);
    };
    const connection = openConnection(target.origin, connect, { onClosed, onSurplus }, key);
    uses.set(connection, { openedAt: now(), restsSince: now(), requestsInARow: 1 });
    return connection;
  };

  return {
    open,
    take(target) {
      const key = keyOf(target);
      if (oneRequestKeys.has(key)) return open(target);
      for (let last = idle.lastOf(key, mayServe); last !== undefined; last = idle.lastOf(key, mayServe)) {
        idle.remove(last);
        const use = uses.get(last);
        if (use !== undefined) use.requestsInARow = isQuiet(use) ? 1 : use.requestsInARow + 1;
        if (!isOld(last)) return last;
        last.destroy();
      }
      return open(target);
    },
    release(connection, idleMs) {
      const use = uses.get(connection);
      if (use !== undefined) use.restsSince = now();
      if (idleMs === 0 || isOld(connection)) connection.destroy();
      else if (connection.rest(idleMs)) idle.add(connection);
      if (idle.count() > MAX_IDLE_CONNECTIONS) idle.first()?.destroy();
    },
    destroy() {
      for (const connection of uses.keys()) connection.destroy();
    },
  };
}

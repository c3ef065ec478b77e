/**
 * The idle connections of a pool, by origin and by age. The cost of a lookup does not depend on the
 * number of origins.
 */
export interface IdleConnections<Connection> {
  /** Does nothing if the connection is idle already. */
  add(connection: Connection): void;
  /** Does nothing if the connection is not idle. */
  remove(connection: Connection): void;
  count(): number;
  /** The connection to this origin that was added last, of those that may serve. */
  lastOf(origin: string, mayServe?: (connection: Connection) => boolean): Connection | undefined;
  /** The connection that was added first, over all origins. */
  first(): Connection | undefined;
}

export function createIdleConnections<
  Connection extends { readonly origin: string },
>(): IdleConnections<Connection> {
  // A set iterates in insertion order.
  const all = new Set<Connection>();
  const byOrigin = new Map<string, Connection[]>();

  return {
    add(connection) {
      if (all.has(connection)) return;
      all.add(connection);
      const others = byOrigin.get(connection.origin);
      if (others === undefined) byOrigin.set(connection.origin, [connection]);
      else others.push(connection);
    },
    remove(connection) {
      if (!all.delete(connection)) return;
      const others = byOrigin.get(connection.origin) ?? [];
      others.splice(others.lastIndexOf(connection), 1);
      if (others.length === 0) byOrigin.delete(connection.origin);
    },
    count: () => all.size,
    lastOf: (origin, mayServe = () => true) => byOrigin.get(origin)?.findLast(mayServe),
    first() {
      for (const connection of all) return connection;
      return undefined;
    },
  };
}

/** Connections without a request. Finding one costs the same however many origins have some. */
export interface IdleConnections<Connection> {
  /** Nothing where it is among them. */
  add(connection: Connection): void;
  /** Nothing where it is not among them. */
  remove(connection: Connection): void;
  has(connection: Connection): boolean;
  count(): number;
  /** Of those to this origin that are ready, the one that was added last. */
  lastOf(origin: string, isReady: (connection: Connection) => boolean): Connection | undefined;
  /** Of all, the one that was added first. */
  first(): Connection | undefined;
}

export function createIdleConnections<
  Connection extends { readonly origin: string },
>(): IdleConnections<Connection> {
  // Iterates in insertion order.
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
    has: (connection) => all.has(connection),
    count: () => all.size,
    lastOf: (origin, isReady) => byOrigin.get(origin)?.findLast(isReady),
    first() {
      for (const connection of all) return connection;
      return undefined;
    },
  };
}

/**
 * The idle connections of a pool, by key and by age. The cost of a lookup does not depend on the
 * number of keys.
 */
export interface IdleConnections<Connection> {
  /** Does nothing if the connection is idle already. */
  add(connection: Connection): void;
  /** Does nothing if the connection is not idle. */
  remove(connection: Connection): void;
  count(): number;
  /** The connection of this key that was added last, of those that may serve. */
  lastOf(key: string, mayServe?: (connection: Connection) => boolean): Connection | undefined;
  /** The connection that was added first, over all keys. */
  first(): Connection | undefined;
}

export function createIdleConnections<
  Connection extends { readonly key: string },
>(): IdleConnections<Connection> {
  // A set iterates in insertion order.
  const all = new Set<Connection>();
  const byKey = new Map<string, Connection[]>();

  return {
    add(connection) {
      if (all.has(connection)) return;
      all.add(connection);
      const others = byKey.get(connection.key);
      if (others === undefined) byKey.set(connection.key, [connection]);
      else others.push(connection);
    },
    remove(connection) {
      if (!all.delete(connection)) return;
      const others = byKey.get(connection.key) ?? [];
      others.splice(others.lastIndexOf(connection), 1);
      if (others.length === 0) byKey.delete(connection.key);
    },
    count: () => all.size,
    lastOf: (key, mayServe = () => true) => byKey.get(key)?.findLast(mayServe),
    first() {
      for (const connection of all) return connection;
      return undefined;
    },
  };
}

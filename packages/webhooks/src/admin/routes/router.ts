import type { Route } from './route.ts';

/** A path that exists, and its methods. */
export interface Match {
  /** The text of the `{…}` segments by name. It matches the row's `params`. */
  readonly params: Readonly<Record<string, string>>;
  /** The row for a method. HEAD has that of GET. */
  route(method: string): Route | undefined;
  /** The value of an `Allow` header. */
  readonly allow: string;
}

/** Matches a path relative to the base path. Undefined if there is no such path. */
export type Router = (path: string) => Match | undefined;

/**
 * Creates a router from rows. Paths are compared byte for byte, without decoding. No name or id of
 * this API needs percent-encoding, so `/%65vents` is another path, and a malformed escape is no
 * special case. A fixed segment has precedence over a `{…}` one.
 */
export function createRouter(routes: readonly Route[]): Router {
  const paths = [...new Set(routes.map((route) => route.path))]
    .sort((a, b) => placeholders(a) - placeholders(b))
    .map((path) =>
      compile(
        path,
        routes.filter((route) => route.path === path),
      ),
    );
  return (path) => {
    for (const match of paths) {
      const found = match(path);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function compile(path: string, rows: readonly Route[]): Router {
  const literal = path.replaceAll('.', '\\.');
  const pattern = new RegExp(`^${literal.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  const byMethod = new Map<string, Route>();
  for (const row of rows) {
    if (byMethod.has(row.method)) throw new TypeError(`routes: ${row.method} ${path} is defined twice`);
    byMethod.set(row.method, row);
  }
  const allow = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const rest = {
    route: (method: string) => byMethod.get(method === 'HEAD' ? 'GET' : method),
    allow: [...allow, 'OPTIONS'].join(', '),
  };
  return (candidate) => {
    const found = pattern.exec(candidate);
    if (found === null) return undefined;
    const params = { ...found.groups };
    const fits = rows[0]?.params.safeParse(params).success === true;
    return fits ? { params, ...rest } : undefined;
  };
}

function placeholders(path: string): number {
  return path.split('{').length;
}

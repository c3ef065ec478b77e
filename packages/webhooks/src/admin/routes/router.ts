import type { Route } from './route.ts';

/** A path that exists, and what may be done with it. */
export interface Match {
  /** The text of the `{…}` segments by name, already known to fit the row's `params`. */
  readonly params: Readonly<Record<string, string>>;
  /** The row for a method; HEAD is answered by GET's. */
  route(method: string): Route | undefined;
  /** The value of an `Allow` header. */
  readonly allow: string;
}

/** Finds what a path below the base path means. Undefined: there is no such path. */
export type Router = (path: string) => Match | undefined;

/**
 * Makes a router from rows. Paths are compared byte for byte, undecoded: no name or id of this API needs
 * percent-encoding, so `/%65vents` is another path, and there is nothing malformed to decode. A fixed segment
 * goes before a `{…}` one.
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
    if (byMethod.has(row.method)) throw new TypeError(`routes: ${row.method} ${path} is there twice`);
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

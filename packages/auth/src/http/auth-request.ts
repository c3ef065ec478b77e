/** Headers of a Web request, or a record as Node, Express and Fastify have them. */
export type AuthHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * What is looked at of a request: a Web `Request`, an `IncomingMessage`, or an object made by hand.
 */
export interface AuthRequest {
  readonly method?: string | undefined;
  /** Absolute, or the path alone; only its host is looked at, if there is no `Host` header. */
  readonly url?: string | undefined;
  readonly headers: AuthHeaders;
}

/**
 * @throws TypeError when a host passes something else, such as nothing, or an object without
 *   headers
 */
export function requireRequest(request: AuthRequest): void {
  const headers: unknown = request?.headers;
  if (typeof headers === 'object' && headers !== null) return;
  throw new TypeError('request must be a Request, or an object { method, url, headers }');
}

/**
 * Gives every value of a header, in the order sent; none when it is absent.
 *
 * Names are compared without regard to case in a record, too: a gateway that hands over
 * `Sec-Fetch-Site` in its original spelling must not switch off the check that reads it.
 *
 * @param name in lower case
 */
export function headerValues(headers: AuthHeaders, name: string): readonly string[] {
  if (isHeadersObject(headers)) {
    const value = headers.get(name);
    return value === null ? [] : [value];
  }
  if (Object.hasOwn(headers, name)) return asList(headers[name]);
  return Object.keys(headers)
    .filter((key) => key.length === name.length && key.toLowerCase() === name)
    .flatMap((key) => asList(headers[key]));
}

function isHeadersObject(headers: AuthHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function asList(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

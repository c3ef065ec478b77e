/**
 * Returns every value of a header as the client sent it. Of some headers, Node shows only the first
 * in `headers`; over HTTP/2 there is no `headersDistinct`.
 *
 * @param name in lower case
 */
export function sentValues(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

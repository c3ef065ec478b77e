/**
 * A handler of Web requests; `rest` is whatever the runtime adds (`env` and `ctx`, `{ params }`,
 * the server).
 */
export type Handler<R extends Request, Rest extends readonly unknown[]> = (
  request: R,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * Puts something around a handler. The result takes the same arguments, and can be used wherever
 * the handler can: a route of Next.js, `fetch` of a worker, `Bun.serve`, `Deno.serve`.
 */
export type Wrapper = <R extends Request, Rest extends readonly unknown[]>(
  handler: Handler<R, Rest>,
) => (request: R, ...rest: Rest) => Promise<Response>;

/**
 * Puts several wrappers around one handler; the first is the outermost and is asked first.
 *
 * ```ts
 * export const GET = guarded([requireAuth(auth), requireScope(auth, 'admin')], (request) =>
 *   Response.json({ uid: claimsOf(request).uid }),
 * );
 * ```
 *
 * @throws TypeError when there is no array of wrappers, or no handler
 */
export function guarded<R extends Request, Rest extends readonly unknown[]>(
  wrappers: readonly Wrapper[],
  handler: Handler<R, Rest>,
): (request: R, ...rest: Rest) => Promise<Response> {
  if (!Array.isArray(wrappers)) throw new TypeError('guarded needs an array of guards and other wrappers');
  if (typeof handler !== 'function') throw new TypeError('guarded needs a handler');
  const innermost = async (request: R, ...rest: Rest) => await handler(request, ...rest);
  return wrappers.reduceRight((inner, wrap) => wrap(inner), innermost);
}

/** @throws TypeError for what a framework other than the Web's passes to a wrapper */
export function requireHandler(handler: unknown): void {
  if (typeof handler === 'function') return;
  throw new TypeError(
    'a wrapper of @acme/auth/fetch takes a handler of Web requests: Express, Fastify and Hono have imports of their own',
  );
}

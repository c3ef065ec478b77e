/**
 * An HTTP application in the terms of the Web: a Request in, a Response out.
 *
 * One that names its `basePath` answers for that path and what lies below it; an adapter passes
 * every other path on to the framework. One that names none is asked for every path.
 */
export interface FetchHandler {
  (request: Request): Promise<Response>;
  /** The path as clients see it, such as `/api/admin/webhooks`: no trailing slash, no query. */
  readonly basePath?: string;
}

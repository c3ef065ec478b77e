import type { Answer, Method, Sent, Spelled } from '../../../admin/routes/route.ts';
import type { ROUTES } from '../../../admin/routes/routes.ts';

/** What a caller sends to an operation of the admin API and receives, as its route says. */

type Routes = (typeof ROUTES)[number];

export type { Method };

/** The paths that have an operation of this method, relative to the API's path. */
export type PathOf<M extends Method> = Extract<Routes, { readonly method: M }>['path'];

type Found<M extends Method, Path extends string> = Extract<
  Routes,
  { readonly method: M; readonly path: Path }
>;

/** Any request, whatever the operation. */
export interface AnyRequest {
  /** What stands in the braces of the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** Parameters that are undefined or '' are omitted. */
  readonly query?: object;
  readonly body?: object;
  /**
   * The `updated_at` of the expected state: 412 `precondition_failed` if the webhook has changed
   * since.
   */
  readonly expectedUpdatedAt?: string;
  readonly signal?: AbortSignal;
  /**
   * True if no user asked for it: it neither keeps a session alive nor leads to the log-in page.
   * Default: false.
   */
  readonly isBackground?: boolean;
}

/** A request as an operation takes it. */
export type ApiRequest<M extends Method, Path extends string> = AnyRequest &
  Params<Spelled<Found<M, Path>['params']>> &
  Query<Spelled<Found<M, Path>['query']>> &
  Body<Sent<Found<M, Path>['body']>> &
  Precondition<Found<M, Path>>;

/** A schema without members has every name, and none of them a value. */
type Params<Values> = string extends keyof Values ? { readonly params?: never } : { readonly params: Values };

type Query<Values> = string extends keyof Values
  ? { readonly query?: never }
  : object extends Values
    ? { readonly query?: Omissible<Values> }
    : { readonly query: Omissible<Values> };

type Omissible<Values> = { readonly [Name in keyof Values]: Values[Name] | '' };

type Body<Json> = [Json] extends [undefined]
  ? { readonly body?: never }
  : undefined extends Json
    ? { readonly body?: Exclude<Json, undefined> }
    : { readonly body: Json };

type Precondition<O> = O extends { readonly isConditional?: true }
  ? { readonly expectedUpdatedAt?: string }
  : { readonly expectedUpdatedAt?: never };

/** What an operation answers when it succeeds; undefined if that has no body. */
export type ApiAnswer<M extends Method, Path extends string> = Answer<Found<M, Path>['answer']>;

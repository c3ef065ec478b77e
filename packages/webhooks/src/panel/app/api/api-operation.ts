import type { paths } from './api-document.ts';

/** What the API's OpenAPI document says of an operation, as what a caller sends and receives. */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The paths that have an operation of this method, relative to the API's path. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<M>, object> ? Path : never;
}[keyof paths];

type Operation<M extends Method, Path extends PathOf<M>> =
  paths[Path] extends Record<Lowercase<M>, infer Described> ? Described : never;

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
export type ApiRequest<M extends Method, Path extends PathOf<M>> = AnyRequest &
  Params<Operation<M, Path>> &
  Query<Operation<M, Path>> &
  Body<Operation<M, Path>> &
  Precondition<Operation<M, Path>>;

type Params<O> = [ParameterOf<O, 'path'>] extends [never]
  ? { readonly params?: never }
  : { readonly params: ParameterOf<O, 'path'> };

type Query<O> = [ParameterOf<O, 'query'>] extends [never]
  ? { readonly query?: never }
  : object extends ParameterOf<O, 'query'>
    ? { readonly query?: Omissible<ParameterOf<O, 'query'>> }
    : { readonly query: Omissible<ParameterOf<O, 'query'>> };

type Omissible<Values> = { readonly [Name in keyof Values]: Values[Name] | '' };

type Precondition<O> = [ParameterOf<O, 'header'>] extends [never]
  ? { readonly expectedUpdatedAt?: never }
  : { readonly expectedUpdatedAt?: string };

/** The parameters of one kind; never for none. */
type ParameterOf<O, Kind extends string> = O extends { parameters: { [_ in Kind]?: infer Values } }
  ? Exclude<Values, undefined>
  : never;

type Body<O> = O extends { requestBody: JsonContent<infer Json> }
  ? { readonly body: Json }
  : O extends { requestBody?: infer Optional }
    ? { readonly body?: Exclude<JsonOf<Optional>, undefined> }
    : { readonly body?: never };

/** What an operation answers when it succeeds; undefined where that has no body. */
export type ApiAnswer<M extends Method, Path extends PathOf<M>> =
  Operation<M, Path> extends { responses: infer Responses }
    ? JsonOf<Responses[keyof Responses & (200 | 201 | 202 | 204)]>
    : never;

interface JsonContent<Json> {
  readonly content: { readonly 'application/json': Json };
}

type JsonOf<Message> = Message extends JsonContent<infer Json> ? Json : undefined;

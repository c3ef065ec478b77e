import type { ConnectionInfo } from '../../http/fetch-handler.ts';
import type { Sessions } from '../sessions.ts';

/** The operations behind the endpoints, without HTTP. */
export type Operations = Pick<Sessions, 'login' | 'status' | 'revokeOthers' | 'start' | 'basePath'>;

/** One request to one endpoint. */
export interface Call {
  readonly request: Request;
  readonly connection: ConnectionInfo;
  /** The `{id}` of the path, or '' if the path has none. */
  readonly id: string;
  /** The secrets in the part of the body that was read. The log must not repeat them. */
  readonly secrets: string[];
}

/** Answers one method of one path. What it throws is answered as a problem. */
export type Endpoint = (call: Call) => Promise<Response>;

/** The endpoints of one path, by method. */
export type Route = Readonly<Record<string, Endpoint>>;

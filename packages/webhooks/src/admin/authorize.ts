import { isBodyRead } from '../../../toolkit/src/consumed-body.ts';
import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { isUid, UID_BOUNDS } from '../registry/administrator-uid.ts';
import { AdminProblem } from './admin-problem.ts';
import { ADMIN_SCOPE } from './scopes.ts';

/**
 * How long `authorize` may take: longer than a query of a slow database, shorter than proxies wait.
 */
const AUTHORIZE_TIMEOUT_MS = 10_000;

/** How many scopes a user may have. */
const MAX_SCOPES = 1_000;

/** What {@link isActor} accepts, for messages. */
export const ACTOR_BOUNDS: string = `uid is text of ${UID_BOUNDS}, scopes an array of at most ${MAX_SCOPES} texts`;

/** The user who makes a request, as `authorize` returns it. The `Claims` of `@acme/auth` fit. */
export interface AdminActor {
  /**
   * 1–255 characters, one of them visible, without control characters, line separators or
   * bidirectional controls.
   */
  readonly uid: string;
  /** At most 1,000. */
  readonly scopes: readonly string[];
}

/**
 * Identifies the user who makes a request, from its headers only. It must not read the body (503),
 * but may read that of a `request.clone()`.
 *
 * `native` is what `mount` received: Express's or Fastify's request, Hono's context. What the
 * application's own log-in put there decides: `authorize: (_, { user }: express.Request) => user &&
 * { uid: user.id, scopes: user.scopes }`. Undefined if the handler is called without `mount`.
 *
 * Null means that no user is authenticated (401). A thrown error with `status` 401, 403 or 503 is
 * answered with that status. A 401 or 403 carries the error's own `code`, if it has one: a client
 * learns from the `token_expired` of `@acme/auth` that a refresh helps, and from its
 * `login_required` that only a new log-in does. Every other failure is 503, including a result of
 * another shape and an answer that takes longer than 10 s. A later answer is ignored.
 */
export type Authorize = AuthorizeMember<AdminActor>['authorize'];

/** A method: its parameters compare in both directions, and a host names the type of `native`. */
export interface AuthorizeMember<Actor> {
  authorize(request: Request, native: unknown): Actor | null | Promise<Actor | null>;
}

/**
 * Requires a user who may administer webhooks. Any failure refuses the request.
 *
 * @throws AdminProblem `unauthenticated`, `forbidden`, `insufficient_scope` or
 *   `authorization_unavailable`
 */
export async function requireAdmin(
  request: Request,
  authorize: Authorize,
  native: unknown,
): Promise<AdminActor> {
  const actor = await requireUser(request, authorize, native, adminOf);
  requireScope(actor, [ADMIN_SCOPE]);
  return actor;
}

/**
 * Requires a user whom the host knows. Any failure refuses the request.
 *
 * @param read copies what `authorize` answered, so that a handler sees what was checked
 * @throws AdminProblem `unauthenticated`, `forbidden` or `authorization_unavailable`; the last for
 *   whatever `read` throws
 */
export async function requireUser<Actor>(
  request: Request,
  authorize: AuthorizeMember<Actor>['authorize'],
  native: unknown,
  read: (answer: unknown) => Actor,
): Promise<Actor> {
  const wasRead = isBodyRead(request);
  let actor: Actor | undefined;
  try {
    const answer = await withDeadline(authorize(request, native), AUTHORIZE_TIMEOUT_MS, refuseLateAnswer);
    actor = answer === null || answer === undefined ? undefined : read(answer);
  } catch (cause) {
    throw refusalOf(cause);
  }
  if (actor === undefined) throw unauthenticated();
  if (isBodyRead(request) && !wasRead) {
    throw unavailable(
      'the body was read before the API could: authorize must not read it (request.clone() may be)',
    );
  }
  return actor;
}

/**
 * Requires one of the scopes, of which the answer names the first: the one that gives least.
 *
 * @throws AdminProblem `insufficient_scope`
 */
export function requireScope(
  { scopes }: AdminActor,
  sufficient: readonly [string, ...(readonly string[])],
): void {
  if (sufficient.some((scope) => scopes.includes(scope))) return;
  const [scope] = sufficient;
  throw new AdminProblem('insufficient_scope', {
    detail: `The scope ${scope} is required.`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

function refuseLateAnswer(): never {
  throw new Error(`authorize has not answered within ${AUTHORIZE_TIMEOUT_MS} ms`);
}

/** @throws TypeError unless the host's answer is an administrator, or another user */
export function adminOf(answer: unknown): AdminActor {
  if (isActor(answer)) return { uid: answer.uid, scopes: [...answer.scopes] };
  throw new TypeError(`authorize must return null or { uid, scopes }: ${ACTOR_BOUNDS}`);
}

function refusalOf(cause: unknown): AdminProblem {
  try {
    return refusalSaidBy(cause);
  } catch {
    return unavailable('authorize threw a value that cannot be inspected');
  }
}

function unavailable(reason: string): AdminProblem {
  return new AdminProblem('authorization_unavailable', { cause: new TypeError(reason) });
}

function refusalSaidBy(cause: unknown): AdminProblem {
  const status = typeof cause === 'object' && cause !== null && 'status' in cause ? cause.status : undefined;
  if (status === 401) return unauthenticated(codeOf(cause));
  if (status === 403) return new AdminProblem('forbidden', { hostCode: codeOf(cause) });
  return new AdminProblem('authorization_unavailable', { cause });
}

/**
 * The code of the host's error. Only a short word counts, so that it cannot carry anything
 * confidential.
 */
function codeOf(cause: unknown): string | undefined {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : undefined;
}

/** RFC 6750 section 3: without a credential, no error code. */
function unauthenticated(hostCode?: string): AdminProblem {
  return new AdminProblem('unauthenticated', { headers: { 'WWW-Authenticate': 'Bearer' }, hostCode });
}

export function isActor(value: unknown): value is AdminActor {
  return (
    typeof value === 'object' &&
    value !== null &&
    'uid' in value &&
    isUid(value.uid) &&
    'scopes' in value &&
    Array.isArray(value.scopes) &&
    value.scopes.length <= MAX_SCOPES &&
    value.scopes.every((scope) => typeof scope === 'string')
  );
}

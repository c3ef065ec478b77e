import { isBodyRead } from '../../../toolkit/src/consumed-body.ts';
import { withDeadline } from '../../../toolkit/src/deadline.ts';
import { isUid, UID_BOUNDS } from '../registry/administrator-uid.ts';
import { AdminProblem } from './admin-problem.ts';

/** The only scope of the admin API. It is compared byte for byte: `admin` does not imply it. */
export const ADMIN_SCOPE = 'admin:webhooks';

/**
 * How long `authorize` may take: longer than a query of a slow database, shorter than proxies wait.
 */
const AUTHORIZE_TIMEOUT_MS = 10_000;

/** How many scopes a user may have. */
const MAX_SCOPES = 1_000;

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
 * { uid: user.id, scopes: user.scopes }`. Undefined where the handler is called without `mount`.
 *
 * Null means that no user is authenticated (401). A thrown error with `status` 401, 403 or 503 is
 * answered with that status. A 401 or 403 carries the error's own `code`, if it has one: a client
 * learns from the `token_expired` of `@acme/auth` that a refresh helps, and from its
 * `login_required` that only a new log-in does. Every other failure is 503, including a result of
 * another shape and an answer that takes longer than 10 s. A later answer is ignored.
 */
export type Authorize = AuthorizeMember['authorize'];

/** A method: its parameters compare in both directions, so a host names the type of `native`. */
interface AuthorizeMember {
  authorize(request: Request, native: unknown): AdminActor | null | Promise<AdminActor | null>;
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
  const wasRead = isBodyRead(request);
  let actor: AdminActor | undefined;
  try {
    actor = actorOf(await withDeadline(authorize(request, native), AUTHORIZE_TIMEOUT_MS, refuseLateAnswer));
  } catch (cause) {
    throw refusalOf(cause);
  }
  if (actor === undefined) throw unauthenticated();
  if (isBodyRead(request) && !wasRead) {
    throw unavailable(
      'the body was read before the API could: authorize must not read it (request.clone() may be)',
    );
  }
  if (!actor.scopes.includes(ADMIN_SCOPE)) {
    throw new AdminProblem('insufficient_scope', {
      detail: `The scope ${ADMIN_SCOPE} is required.`,
      headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${ADMIN_SCOPE}"` },
    });
  }
  return actor;
}

function refuseLateAnswer(): never {
  throw new Error(`authorize has not answered within ${AUTHORIZE_TIMEOUT_MS} ms`);
}

/**
 * Copies the actor, so that a handler sees what was checked here. Undefined if no user is
 * authenticated.
 */
function actorOf(answer: unknown): AdminActor | undefined {
  if (answer === null || answer === undefined) return undefined;
  if (!isActor(answer))
    throw new TypeError(
      `authorize must return null or { uid, scopes }: uid is text of ${UID_BOUNDS}, scopes an array of at most ${MAX_SCOPES} texts`,
    );
  return { uid: answer.uid, scopes: [...answer.scopes] };
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

function isActor(value: unknown): value is AdminActor {
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

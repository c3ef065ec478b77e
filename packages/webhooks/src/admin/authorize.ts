import { AdminProblem } from './admin-problem.ts';

/** The one scope of the admin API, compared byte for byte: `admin` does not imply it. */
export const ADMIN_SCOPE = 'admin:webhooks';

/** How long `authorize` may take: longer than a look-up in a database that is slow, shorter than proxies wait. */
export const AUTHORIZE_TIMEOUT_MS = 10_000;

/** Who makes a request, as `authorize` found out. The `Claims` of `@acme/auth` fit. */
export interface AdminActor {
  readonly uid: string;
  readonly scopes: readonly string[];
}

/**
 * The host's answer to "who makes this request?", from its headers alone: it must not read the body (503; a
 * `request.clone()` may be read).
 *
 * Null means nobody (401). A thrown error with `status` 401, 403 or 503 is answered as such, a 401 or 403 under the
 * error's own `code` where it has one: so a client learns from `token_expired` of `@acme/auth` that a refresh helps.
 * Every other failure, a result of another shape included, is 503; so is an answer that takes longer than 10 s. What
 * comes after that is ignored.
 */
export type Authorize = (request: Request) => AdminActor | null | Promise<AdminActor | null>;

/**
 * Finds out who makes a request and that they may administer webhooks. Whatever goes wrong, it never lets pass.
 *
 * @throws AdminProblem `unauthenticated`, `forbidden`, `insufficient_scope` or `authorization_unavailable`
 */
export async function requireAdmin(request: Request, authorize: Authorize): Promise<AdminActor> {
  let actor: AdminActor | undefined;
  try {
    actor = actorOf(await answerInTime(request, authorize));
  } catch (cause) {
    throw refusalOf(cause);
  }
  if (actor === undefined) throw unauthenticated();
  if (request.bodyUsed || request.body?.locked) {
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

/** @throws what `authorize` throws, or an Error once its time is over */
async function answerInTime(request: Request, authorize: Authorize): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const late = () => reject(new Error(`authorize has not answered within ${AUTHORIZE_TIMEOUT_MS} ms`));
    timer = setTimeout(late, AUTHORIZE_TIMEOUT_MS);
  });
  try {
    // A race listens to both of them for good: what comes late, a rejection included, is heard and dropped.
    return await Promise.race([authorize(request), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** A copy: what a handler sees later is what was checked here. Undefined for nobody. */
function actorOf(answer: unknown): AdminActor | undefined {
  if (answer === null || answer === undefined) return undefined;
  if (!isActor(answer))
    throw new TypeError('authorize must return { uid: string, scopes: string[] } or null');
  return { uid: answer.uid, scopes: [...answer.scopes] };
}

function refusalOf(cause: unknown): AdminProblem {
  try {
    return refusalSaidBy(cause);
  } catch {
    return unavailable('authorize threw what cannot be looked at');
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

/** The code of the host's error if it is one: a short word, nothing that could carry more than it should. */
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
    typeof value.uid === 'string' &&
    'scopes' in value &&
    Array.isArray(value.scopes) &&
    value.scopes.every((scope) => typeof scope === 'string')
  );
}

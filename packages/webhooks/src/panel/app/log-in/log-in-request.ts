import { withDeadline } from '../../../../../toolkit/src/deadline.ts';
import { readRetryAfter } from '../../../../../toolkit/src/retry-after.ts';
import { apiErrorOf } from '../api/api-error.ts';

/** What a log-in came to. */
export type LogInResult = { readonly kind: 'accepted' } | LogInFailure;

export type LogInFailure =
  | { readonly kind: 'wrong' | 'cross-site' | 'unreachable' | 'unexpected' }
  /** `waitMs` is 0 if the server did not say when to try again. */
  | { readonly kind: 'throttled' | 'busy'; readonly waitMs: number };

const TIMEOUT_MS = 30_000;
/** A refusal that has come is shown after this time at the latest, even without its body. */
const BODY_TIMEOUT_MS = 2_000;
/** Shown in place of a longer time. */
const MAX_WAIT_MS = 7 * 24 * 3_600_000;

/**
 * Sends a login and a password to the log-in endpoint once. Never rejects.
 *
 * A redirect is not followed: the page behind it would be a 200, also after a refusal.
 */
export async function requestLogIn(endpoint: string, login: string, password: string): Promise<LogInResult> {
  let response: Response;
  try {
    response = await fetch(endpoint, {
      method: 'POST',
      credentials: 'same-origin',
      redirect: 'manual',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify({ login, password }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    return { kind: 'unreachable' };
  }
  return resultOf(response);
}

async function resultOf(response: Response): Promise<LogInResult> {
  const { ok, status, headers } = response;
  if (ok) return { kind: 'accepted' };
  // 422: a login or a password that no account can have.
  if (status === 401 || status === 422) return { kind: 'wrong' };
  if (status === 403) {
    const code = await withDeadline(codeOf(response), BODY_TIMEOUT_MS, () => 'unexpected');
    return { kind: code === 'cross_site' ? 'cross-site' : 'unexpected' };
  }
  if (status !== 429 && status !== 503) return { kind: 'unexpected' };
  const waitMs =
    readRetryAfter(headers.get('retry-after'), headers.get('date'), Date.now(), MAX_WAIT_MS) ?? 0;
  return { kind: status === 429 ? 'throttled' : 'busy', waitMs };
}

async function codeOf(response: Response): Promise<string> {
  return (await apiErrorOf(response)).code;
}

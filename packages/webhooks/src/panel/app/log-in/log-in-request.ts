import { readRetryAfter } from '../../../../../toolkit/src/retry-after.ts';
import { apiErrorOf } from '../api/api-error.ts';

/** What a log-in came to. */
export type LogInResult = { readonly kind: 'accepted' } | LogInFailure;

export type LogInFailure =
  | { readonly kind: 'wrong' | 'cross-site' | 'unreachable' | 'unexpected' }
  /** `waitMs` is 0 if the server did not say when to try again. */
  | { readonly kind: 'throttled' | 'busy'; readonly waitMs: number };

const TIMEOUT_MS = 30_000;

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
  const { code } = await apiErrorOf(response);
  return resultOf(response, code);
}

function resultOf({ ok, status, headers }: Response, code: string): LogInResult {
  if (ok) return { kind: 'accepted' };
  // 422: a login or a password that no account can have.
  if (status === 401 || status === 422) return { kind: 'wrong' };
  if (status === 403 && code === 'cross_site') return { kind: 'cross-site' };
  if (status !== 429 && status !== 503) return { kind: 'unexpected' };
  const waitMs = readRetryAfter(headers.get('retry-after'), headers.get('date'), Date.now());
  return { kind: status === 429 ? 'throttled' : 'busy', waitMs };
}

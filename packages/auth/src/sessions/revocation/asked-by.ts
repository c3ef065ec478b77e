import { AuthError } from '../../errors.ts';
import type { Session } from '../session.ts';

/** Why a session may not end others: it is over itself, or one of them is newer. */
export type RevocationRefusal = 'not_live' | 'newer';

type Age = Pick<Session, 'createdAt'>;

/**
 * Judges whether a session may end others of its user. Whoever has stolen an old session cannot end
 * the session of its owner's new log-in. Sessions of one second are of one age.
 *
 * Pure. The session that asks is `undefined` if it is not live.
 */
export function refusalOf(asking: Age | undefined, others: readonly Age[]): RevocationRefusal | undefined {
  if (asking === undefined) return 'not_live';
  return others.some(({ createdAt }) => createdAt > asking.createdAt) ? 'newer' : undefined;
}

/** @throws AuthError `session_revoked` or `login_required`, if a store's answer is a refusal */
export function refuseAsker<Answer>(answer: Answer | RevocationRefusal): asserts answer is Answer {
  if (answer === 'not_live') throw new AuthError('session_revoked', 'The session that asks has been ended');
  if (answer === 'newer') throw new AuthError('login_required', 'A newer session ends by a newer log-in');
}

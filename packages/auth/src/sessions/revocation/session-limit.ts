import { integerOption } from '../../../../toolkit/src/options.ts';
import type { Session } from '../session.ts';

const DEFAULT_MAX_SESSIONS = 100;
const MAX_MAX_SESSIONS = 1_000;

/** @throws TypeError when `maxSessionsPerUser` is out of bounds */
export function resolveMaxSessions(max: number | false = DEFAULT_MAX_SESSIONS): number | false {
  return max === false ? false : integerOption('maxSessionsPerUser', max, { min: 1, max: MAX_MAX_SESSIONS });
}

/**
 * Returns the ids of the sessions that a user has too many, the oldest first: by `createdAt`, then
 * by id. The session `newestId` counts as the newest. Its time may say otherwise, because times are
 * whole seconds of several clocks.
 *
 * Pure. The sessions come in any order.
 */
export function sessionsOverLimit(
  live: readonly Pick<Session, 'id' | 'createdAt'>[],
  keep: number,
  newestId: string,
): readonly string[] {
  return live
    .filter(({ id }) => id !== newestId)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, live.length - keep))
    .map(({ id }) => id);
}

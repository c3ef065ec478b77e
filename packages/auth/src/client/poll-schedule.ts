import { MAX_DELAY_MS, type PollOutcome } from './status-answer.ts';

/**
 * Returns the time from one poll to the next, in ms since the request of the first was sent. Every
 * tab is due before the access token expires, by the server's clock alone.
 *
 * @param page `isWoken`: it is shown again, or has come online, and no tab has just polled
 * @param random 0 up to 1: spreads browsers over time, and the tabs of one browser
 */
export function nextPollAfter(
  { session, failure, pauseMs }: PollOutcome,
  intervalMs: number,
  { isHidden, isWoken }: { readonly isHidden: boolean; readonly isWoken: boolean },
  random: number = Math.random(),
): number {
  let delay = isHidden ? MAX_DELAY_MS : intervalMs * (0.9 + random / 10);
  if (isWoken && !isHidden) {
    delay = pauseMs;
  } else if (failure !== undefined) {
    const backoff = Math.min((intervalMs / 12) * 2 ** (failure.failures - 1), intervalMs * 5);
    delay = Math.max(backoff * (0.75 + random / 4), pauseMs * (1 + random / 10));
  } else if (session !== undefined) {
    const lifeMs = (session.expiresAt - session.serverTime) * 1000;
    // Browsers wake the timers of a hidden tab once a minute.
    const margin = Math.min(isHidden ? 90_000 : 30_000, lifeMs / 3) * (1 + random / 3);
    delay = Math.min(delay, lifeMs - margin);
  }
  // At least 1 s, or a quarter of a short interval.
  return Math.min(Math.max(delay, Math.min(1_000, intervalMs / 4)), MAX_DELAY_MS);
}

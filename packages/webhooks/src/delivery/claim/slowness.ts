/** An attempt that takes longer makes its webhook a suspect, also while it is under way. */
export const SLOW_MS = 2_000;
/**
 * A webhook that becomes a suspect again within this time remains one, whatever it answers, until
 * it has not been slow for as long.
 */
export const RELAPSE_MS = 600_000;

/** How slow a webhook is, by its attempts so far. */
export interface Slowness {
  /** Whether the webhook is a suspect once its last attempt has ended. */
  readonly isSuspect: boolean;
  /** When an attempt last timed out or took longer than {@link SLOW_MS}. */
  readonly slowAt: number;
  /** Whether that was after an answer had cleared it, and within {@link RELAPSE_MS}. */
  readonly hasRelapsed: boolean;
}

/**
 * Judges a webhook by one more attempt. A slow attempt makes it a suspect, and one prompt answer
 * clears it the first time. A webhook that answers for a while and then hangs again would fill its
 * whole limit each time: it is not cleared so soon once more.
 */
export function slownessAfter(before: Slowness | undefined, isSlow: boolean, now: number): Slowness {
  const wasSlow = before !== undefined && now - before.slowAt < RELAPSE_MS;
  const hasRelapsed = wasSlow && (before.hasRelapsed || (isSlow && !before.isSuspect));
  return {
    isSuspect: isSlow || hasRelapsed,
    slowAt: isSlow ? now : (before?.slowAt ?? Number.NEGATIVE_INFINITY),
    hasRelapsed,
  };
}

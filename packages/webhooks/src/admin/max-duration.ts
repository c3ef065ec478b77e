/** A request begins nothing more after this time: clients wait for 30 s or so. */
export const MAX_DURATION_MS = 15_000;

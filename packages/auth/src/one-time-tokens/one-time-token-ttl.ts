/** The life of a one-time token, in seconds: an hour, unless the host says otherwise. */
export const DEFAULT_TTL_SECONDS = 3_600;
/** Less would expire while the mail is on its way. */
export const MIN_TTL_SECONDS = 60;
/** 30 days: an invitation that is older is sent again. */
export const MAX_TTL_SECONDS = 2_592_000;

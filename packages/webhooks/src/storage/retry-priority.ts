/**
 * How much later than it is due a retry's priority time is: first attempts go before retries so long, and keep none waiting
 * for ever.
 */
export const RETRY_PRIORITY_DELAY_MS = 60_000;

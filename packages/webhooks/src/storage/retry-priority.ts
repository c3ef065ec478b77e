/**
 * How much later than its due time a retry's priority time is. First attempts go before retries for
 * that long, and keep none waiting for ever.
 */
export const RETRY_PRIORITY_DELAY_MS = 60_000;

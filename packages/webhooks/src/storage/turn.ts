/**
 * How much later than due a retry stands in line. First attempts go before retries so long, and yet keep none waiting
 * for ever.
 */
export const RETRY_TURN_DELAY_MS = 60_000;

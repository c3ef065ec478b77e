/** What a worker process is told through its environment, as JSON. */
export interface WorkerSettings {
  readonly storage:
    | { readonly kind: 'sqlite'; readonly file: string }
    | { readonly kind: 'postgres'; readonly url: string }
    | { readonly kind: 'mysql'; readonly url: string };
  readonly queue:
    | { readonly kind: 'p-queue' }
    | { readonly kind: 'pg-boss'; readonly url: string }
    | { readonly kind: 'bullmq'; readonly port: number };
  /** Default: {@link CONCURRENCY}. */
  readonly maxConcurrentPerWebhook?: number;
}

/** The variable that holds the settings. */
export const SETTINGS_VARIABLE = 'PROVE_WORKER';

/** Attempts at once in one worker: what a kill can leave in flight. */
export const CONCURRENCY = 50;

/**
 * Far above what the recipient takes, and short, so that the lease of a killed worker (30 s more)
 * ends soon.
 */
export const ATTEMPT_TIMEOUT_MS = 2_000;

import type { Clock } from '../clock.ts';
import { WebhookError } from '../errors.ts';

/** Counts a call of a tenant. @throws WebhookError `rate_limited` if it has made as many */
export type CallLimit = (tenant: string) => void;

const MINUTE_MS = 60_000;

/**
 * @internal Bounds the calls of each tenant within any minute, in this process. Tenants are
 * forgotten a minute after their last call.
 */
export function createCallLimit(deps: {
  readonly clock: Clock;
  readonly maxPerMinute: (tenant: string) => number;
}): CallLimit {
  const { clock } = deps;
  /** The times of the last minute's calls; the tenant that called last is the last one. */
  const calls = new Map<string, readonly number[]>();

  /** A clock that was set back begins anew. */
  const recent = (times: readonly number[], now: number) =>
    times.filter((at) => at <= now && now - at < MINUTE_MS);

  function forget(now: number): void {
    for (const [tenant, times] of calls) {
      if (recent(times, now).length > 0) return;
      calls.delete(tenant);
    }
  }

  return (tenant) => {
    const now = clock();
    const times = recent(calls.get(tenant) ?? [], now);
    const maxPerMinute = deps.maxPerMinute(tenant);
    // The call that makes room again.
    const oldest = times.at(-maxPerMinute);
    if (oldest !== undefined && times.length >= maxPerMinute) {
      throw new WebhookError(
        'rate_limited',
        `Test events and redeliveries are bounded to ${maxPerMinute} calls per minute`,
        { retryAfterMs: oldest + MINUTE_MS - now },
      );
    }
    calls.delete(tenant);
    calls.set(tenant, [...times, now]);
    forget(now);
  };
}

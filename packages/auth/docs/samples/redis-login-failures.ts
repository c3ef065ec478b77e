import type { LoginFailureStore } from '@acme/auth';
import type { Redis } from 'ioredis';

export function redisLoginFailures(redis: Redis): LoginFailureStore {
  return {
    async add(changes, keepSeconds) {
      const steps = redis.multi();
      for (const { key, failures, underWay } of changes)
        steps.hincrby(key, 'failures', failures).hincrby(key, 'underWay', underWay).expire(key, keepSeconds);
      const replies = ((await steps.exec()) ?? []).map(([, reply]) => Number(reply));
      return changes.map((_, i) => ({
        failures: replies[3 * i] ?? NaN,
        underWay: replies[3 * i + 1] ?? NaN,
      }));
    },
    async forget(key) {
      const replies = await redis.multi().hmget(key, 'failures', 'underWay').del(key).exec();
      const [failures, underWay] = (replies?.[0]?.[1] ?? [NaN, NaN]) as (string | null)[];
      return { failures: Number(failures), underWay: Number(underWay) };
    },
  };
}

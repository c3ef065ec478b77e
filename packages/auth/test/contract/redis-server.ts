import { Redis } from 'ioredis';

const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Why suites on Redis are left out here; `undefined` where they run. */
export const redisSkipped: string | undefined = await reasonToSkip();

/** Opens a connection that fails at once, rather than later, when Redis is away. */
export function openRedis(): Redis {
  const redis = new Redis(REDIS_URL, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => {});
  return redis;
}

async function reasonToSkip(): Promise<string | undefined> {
  if (process.env.REQUIRE_SERVICES === '1') return undefined;
  const redis = openRedis();
  try {
    await redis.ping();
    return undefined;
  } catch {
    // The address alone: the rest of the URL may hold a password.
    const reason = `Redis does not answer at ${new URL(REDIS_URL).host} (TEST_REDIS_URL)`;
    console.warn(`skipped: ${reason}`);
    return reason;
  } finally {
    redis.disconnect();
  }
}

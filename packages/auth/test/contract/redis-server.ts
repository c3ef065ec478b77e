import { Redis } from 'ioredis';
import { REDIS_URL } from '../../../../test/services/servers.ts';

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

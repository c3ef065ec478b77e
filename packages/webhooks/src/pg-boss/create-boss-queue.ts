import type { PgBossInstance } from './pg-boss-instance.ts';

const MAX_ATTEMPTS = 5;
/** At most one waiting job per key: jobs would pile up without bound where no worker runs. */
const POLICY = 'short';

/**
 * Creates the queue in pg-boss if it does not exist. Several processes may do so at once:
 * pg-boss 10 lets them deadlock, and all but one then find it created.
 *
 * @internal
 * @throws Error when pg-boss creates none, or has one under another policy
 */
export async function createBossQueue(boss: PgBossInstance, name: string): Promise<void> {
  for (let attempt = 1; !(await exists(boss, name)); attempt += 1) {
    // pg-boss 10 creates nothing, and reports nothing, while it is not started. The check can go
    // with support for pg-boss 10.
    if (attempt > MAX_ATTEMPTS) throw new Error(`pg-boss did not create the queue ${name}`);
    await boss.createQueue(name, { name, policy: POLICY, retryLimit: 0 }).catch((error: unknown) => {
      if (attempt === MAX_ATTEMPTS) throw error;
    });
  }
}

async function exists(boss: PgBossInstance, name: string): Promise<boolean> {
  const queue = await boss.getQueue(name).catch((cause: unknown) => {
    // While it is not started, pg-boss 10 fails with a TypeError of its own. This can go with
    // support for pg-boss 10.
    if (!(cause instanceof TypeError)) throw cause;
    throw new Error('pg-boss is not started: `await boss.start()` comes first', { cause });
  });
  if (typeof queue !== 'object' || queue === null) return false;
  if (!('policy' in queue) || queue.policy === POLICY) return true;
  const found = `the queue ${name} exists in pg-boss under the policy ${String(queue.policy)}, not ${POLICY}`;
  throw new Error(`${found}: another queueName makes a queue of its own`);
}

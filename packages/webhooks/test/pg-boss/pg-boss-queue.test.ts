import { describe, expect, it } from 'vitest';
import { type PgBossInstance, pgBossQueue } from '../../src/pg-boss/index.ts';

const job = (n: number) => ({ deliveryId: n.toString(16).padStart(32, '0'), delayMs: 0 });

/**
 * The members of a pg-boss that the queue needs: one whose queue exists, and that counts what it is
 * asked.
 */
function createBoss(policy: unknown) {
  const sent: { readonly atOnce: number }[] = [];
  let underWay = 0;
  const boss: PgBossInstance = {
    createQueue: async () => {},
    getQueue: async (name) => ({ name, policy }),
    async send() {
      underWay += 1;
      sent.push({ atOnce: underWay });
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
    },
    fetch: async () => [],
    deleteJob: async () => {},
  };
  return { boss, sent };
}

describe('pgBossQueue', () => {
  it.each(['standard', 'singleton', 'stately', null])(
    'uses no queue that exists under the policy %s: what waits there has no bound',
    async (policy) => {
      const { boss, sent } = createBoss(policy);
      const queue = pgBossQueue({ boss, queueName: 'orders' });
      const refused = `the queue orders exists in pg-boss under the policy ${policy}, not short`;
      await expect(queue.start(async () => {})).rejects.toThrow(refused);
      await expect(queue.enqueue([job(1)])).rejects.toThrow(refused);
      expect(sent).toEqual([]);
      await queue.stop();
    },
  );

  it('files a thousand wake-ups one after the other: the connections are the host’s', async () => {
    const { boss, sent } = createBoss('short');
    const queue = pgBossQueue({ boss });
    await queue.enqueue(Array.from({ length: 1_000 }, (_, n) => ({ ...job(n), delayMs: 1_000 * (n + 1) })));
    expect(sent).toHaveLength(1_000);
    expect(Math.max(...sent.map(({ atOnce }) => atOnce))).toBe(1);
    await queue.stop();
  });

  it('asks a pg-boss that is away for no more than one of them', async () => {
    const { boss, sent } = createBoss('short');
    const away: PgBossInstance = {
      ...boss,
      async send(...job) {
        await boss.send(...job);
        throw new Error('away');
      },
    };
    const queue = pgBossQueue({ boss: away });
    const jobs = Array.from({ length: 100 }, (_, n) => ({ ...job(n), delayMs: 1_000 * (n + 1) }));
    await expect(queue.enqueue(jobs)).rejects.toThrow('away');
    await queue.stop();
    expect(sent).toHaveLength(1);
  });
});

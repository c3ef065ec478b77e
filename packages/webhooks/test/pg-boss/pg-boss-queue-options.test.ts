import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { pgBossQueue } from '../../src/pg-boss/index.ts';
import { InstalledPgBoss } from '../contract/installed-pg-boss.ts';

describe('the options of pgBossQueue', () => {
  const boss = new InstalledPgBoss('postgres://127.0.0.1/never-opened');

  inOneTest([
    [{ boss: undefined }, /boss must be an object/],
    [{ boss: {} }, /boss lacks the methods createQueue, getQueue, send, fetch, deleteJob of PgBoss/],
    [{ boss, pollingIntervalMs: 499 }, /pollingIntervalMs must be an integer from 500 to 60000, not 499/],
    [{ boss, pollingIntervalMs: 60_001 }, /not 60001/],
    [{ boss, queueName: '' }, /queueName must be text/],
    [{ boss, queueName: 'a:b' }, /queueName must be text/],
    [{ boss, interval: 1 }, /unknown option "interval"/],
  ])('refuse %#', (options, message) => {
    // @ts-expect-error what JavaScript may pass
    expect(() => pgBossQueue(options)).toThrow(message);
  });

  it('reject jobs and a start while pg-boss is not started', async () => {
    const queue = pgBossQueue({ boss });
    await expect(queue.enqueue([{ deliveryId: 'a'.repeat(32), delayMs: 0 }])).rejects.toThrow(
      /not started|not opened/i,
    );
    await expect(queue.start(async () => {})).rejects.toThrow(/not started|not opened/i);
    await queue.stop();
  });
});

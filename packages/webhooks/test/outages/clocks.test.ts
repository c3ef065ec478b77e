import { describe, expect, it } from 'vitest';
import { useEngineHarness } from '../engine/engine-harness.ts';
import { ALL_STORAGES } from '../engine/storages.ts';

const TEN_MINUTES_MS = 600_000;

describe.each(ALL_STORAGES)('a process whose clock is wrong, on $name', ({ open }) => {
  const harness = useEngineHarness(open);

  it.each([
    ['ahead', TEN_MINUTES_MS],
    ['behind', -TEN_MINUTES_MS],
  ])('says for how long deliveries have been due, ten minutes %s', async (_, offsetMs) => {
    const { webhooks } = harness.engine({ clock: () => Date.now() + offsetMs });
    await webhooks.create({ url: 'http://127.0.0.1:9999/' });
    await webhooks.dispatch('user.created', {});
    const dueMs = async () => (await webhooks.health()).oldestDueMs;
    await expect.poll(dueMs).toBeGreaterThan(0);
    expect(await dueMs()).toBeLessThan(TEN_MINUTES_MS / 2);
  });

  it.each([
    ['ahead', TEN_MINUTES_MS],
    ['behind', -TEN_MINUTES_MS],
  ])('waits as long as a recipient asks by a date, ten minutes %s', async (_, offsetMs) => {
    let asked = false;
    const target = await harness.recipient((_callback, response) => {
      const retryAt = new Date(Date.now() + 2_000).toUTCString();
      if (asked) response.writeHead(204).end();
      else response.writeHead(503, { 'retry-after': retryAt }).end();
      asked = true;
    });
    const { webhooks, attempts, ended } = harness.engine({
      clock: () => Date.now() + offsetMs,
      sweepIntervalMs: 100,
    });
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    await webhooks.dispatch('user.created', {});
    expect(await ended(id)).toMatchObject({ status: 'success', attempts: 1, deferrals: 1 });
    expect(attempts[0]).toMatchObject({ error: 'deferred' });
  });

  it('does not take ten minutes ahead for ten minutes of failures', async () => {
    const target = await harness.recipient((_, response) => response.writeHead(500).end());
    const { webhooks } = harness.engine({
      clock: () => Date.now() + TEN_MINUTES_MS,
      retry: { maxAttempts: 1 },
      disableAfterFailingMs: TEN_MINUTES_MS,
    });
    await webhooks.start();
    const { id } = await webhooks.create({ url: target.url });
    for (let n = 0; n < 4; n += 1) await webhooks.dispatch('user.created', {});
    await webhooks.drain();
    expect(await webhooks.get(id)).toMatchObject({ isActive: true, health: { level: 'down' } });
  });
});

import { expect, test } from 'vitest';
import { engineStorage } from '../../src/storage/engine-storage.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';
import { WRITE_FAILURE_MS } from '../../src/storage/write-watch.ts';
import { CLAIM, DISPATCH, NEW_WEBHOOK } from '../kysely/example-rows.ts';

/** A storage whose disk is full until `fault` is taken away. */
function harness(extra: Partial<WebhookStorage<object>> = {}) {
  const sound = memoryStorage() as WebhookStorage<object>;
  const state: { now: number; fault: Error | undefined } = { now: 0, fault: new Error('disk full') };
  const failing = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (state.fault !== undefined) throw state.fault;
    return run();
  };
  const watched = engineStorage<object>(
    {
      ...sound,
      recordDispatches: (dispatches) => failing(() => sound.recordDispatches(dispatches)),
      recordAttempts: (records) => failing(() => sound.recordAttempts(records, RESULT_RULES)),
      claimDueDeliveries: (request) => failing(() => sound.claimDueDeliveries(request)),
      ...extra,
    },
    () => state.now,
  );
  return { state, ...watched };
}

test('what failed is held against the storage until something is written, or for fifteen seconds', async () => {
  const { state, storage, writes } = harness();
  await storage.createWebhook(NEW_WEBHOOK);
  expect(writes.isFailing()).toBe(false);
  await expect(storage.recordAttempts([], RESULT_RULES)).rejects.toThrow('The webhook storage failed to');
  expect(writes.isFailing()).toBe(true);
  state.now += WRITE_FAILURE_MS;
  expect(writes.isFailing()).toBe(false);
  await expect(storage.recordAttempts([], RESULT_RULES)).rejects.toThrow('The webhook storage failed to');
  expect(writes.isFailing()).toBe(true);
  state.fault = undefined;
  // Neither writes anything.
  await storage.recordAttempts([], RESULT_RULES);
  await storage.recordDispatches([{ ...DISPATCH, target: { webhookId: 99 } }]);
  expect(writes.isFailing()).toBe(true);
  await storage.recordDispatches([DISPATCH]);
  expect(writes.isFailing()).toBe(false);
});

test('tells for how long the longest write under way has been so', async () => {
  const answers: (() => void)[] = [];
  const held = () => new Promise<never[]>((resolve) => answers.push(() => resolve([])));
  const { state, storage, writes } = harness({ claimDueDeliveries: held, recordAttempts: held });
  expect(writes.longestUnderwayMs()).toBe(0);
  const claim = storage.claimDueDeliveries(CLAIM);
  state.now += 5;
  const record = storage.recordAttempts([], RESULT_RULES);
  state.now += 10;
  expect(writes.longestUnderwayMs()).toBe(15);
  answers[0]?.();
  await claim;
  expect(writes.longestUnderwayMs()).toBe(10);
  answers[1]?.();
  await record;
  expect(writes.longestUnderwayMs()).toBe(0);
});

test('a dispatch may be refused for what it holds, three in a row are not', async () => {
  const { state, storage, writes } = harness();
  await storage.createWebhook(NEW_WEBHOOK);
  const refused = () =>
    expect(storage.recordDispatches([DISPATCH])).rejects.toThrow('The webhook storage failed to');
  await refused();
  await refused();
  const { fault } = state;
  state.fault = undefined;
  await storage.recordDispatches([DISPATCH]);
  state.fault = fault;
  for (const isFailing of [false, false, true]) {
    await refused();
    expect(writes.isFailing()).toBe(isFailing);
  }
});

test('a claim that found nothing may only have read', async () => {
  const { state, storage, writes } = harness();
  await expect(storage.claimDueDeliveries(CLAIM)).rejects.toThrow('The webhook storage failed to');
  state.fault = undefined;
  await storage.claimDueDeliveries(CLAIM);
  expect(writes.isFailing()).toBe(true);
});

test("the host's own transaction does not count", async () => {
  const { storage, writes } = harness();
  for (let times = 0; times < 4; times += 1) {
    await expect(storage.recordDispatches([DISPATCH], {})).rejects.toThrow('The webhook storage failed to');
  }
  expect(writes.isFailing()).toBe(false);
});

test('says for a minute that a claim took more than a second', async () => {
  const { state, storage, writes } = harness({
    async claimDueDeliveries({ limit }) {
      state.now += limit;
      return [];
    },
  });
  await storage.claimDueDeliveries({ ...CLAIM, limit: 1_000 });
  expect(writes.isClaimSlow()).toBe(false);
  await storage.claimDueDeliveries({ ...CLAIM, limit: 1_001 });
  state.now += 59_999;
  expect(writes.isClaimSlow()).toBe(true);
  state.now += 1;
  expect(writes.isClaimSlow()).toBe(false);
});

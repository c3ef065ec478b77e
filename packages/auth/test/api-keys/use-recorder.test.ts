import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { createUseRecorder } from '../../src/api-keys/use-recorder.ts';

const NOW = 1_000_000;

function setUp() {
  const groups: { ids: readonly string[]; usedAt: number }[] = [];
  const pending: (() => void)[] = [];
  const recorder = createUseRecorder(
    {
      recordUse(ids, usedAt) {
        groups.push({ ids, usedAt });
        return new Promise<void>((resolve) => pending.push(resolve));
      },
    },
    { error() {} },
  );
  /** Lets the write under way end, and the next begin. */
  async function finishOne() {
    pending.shift()?.();
    await new Promise(setImmediate);
  }
  return { recorder, groups, finishOne };
}

describe('createUseRecorder', () => {
  it('writes the keys of several requests in the asynchronous context of none', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const recordUse = async (ids: readonly string[]) => void seen.push([ids, request.getStore()]);
    const recorder = createUseRecorder({ recordUse }, { error() {} });
    for (const id of ['a', 'b']) request.run(id, () => recorder.note(id, null, NOW));
    await recorder.idle();
    expect(seen).toEqual([[['a', 'b'], undefined]]);
  });

  it('writes at most 500 keys at once, and keeps at most 5,000 waiting', async () => {
    const { recorder, groups, finishOne } = setUp();
    for (let n = 0; n < 7_000; n += 1) recorder.note(`key ${n}`, null, NOW);
    await new Promise(setImmediate);
    for (let group = 0; group < 20; group += 1) await finishOne();
    await recorder.idle();
    expect(groups.map(({ ids }) => ids.length)).toEqual(Array(10).fill(500));
  });

  it('remembers a bounded number of keys, the oldest forgotten first', async () => {
    const { recorder, groups, finishOne } = setUp();
    const note = async (id: string) => {
      recorder.note(id, null, NOW);
      await new Promise(setImmediate);
      await finishOne();
      await recorder.idle();
    };
    const noteMany = async (from: number, to: number) => {
      for (let n = from; n < to; n += 1) recorder.note(`key ${n}`, null, NOW);
      await new Promise(setImmediate);
      for (let group = 0; group < 10; group += 1) await finishOne();
      await recorder.idle();
    };
    await noteMany(0, 5_000);
    await noteMany(5_000, 10_000);
    await note('key 9999');
    await note('key 0');
    expect(groups).toHaveLength(20);
    await note('one more');
    await note('key 1');
    expect(groups).toHaveLength(21);
    await note('key 0');
    expect(groups.at(-1)?.ids).toEqual(['key 0']);
  });
});

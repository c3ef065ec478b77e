import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createGroupCommit } from '../../src/group-commit/group-commit.ts';
import { globalTimers } from '../global-timers.ts';
import { gatedCommit, group, turns } from './gated-commit.ts';

describe('a group commit', () => {
  it('writes what one turn of the event loop adds together, and answers each item', async () => {
    const gate = gatedCommit();
    const commit = group(gate);
    const answers = await Promise.all([commit.add(1), commit.add(2), commit.add(3)]);
    expect(answers).toEqual(['done 1', 'done 2', 'done 3']);
    expect(gate.groups).toEqual([[1, 2, 3]]);
  });

  it('runs one commit at a time: what arrives meanwhile is the next group', async () => {
    const gate = gatedCommit({ isHeld: true });
    const commit = group(gate);
    const first = commit.add(1);
    await Promise.resolve();
    const rest = [commit.add(2), commit.add(3)];
    await Promise.resolve();
    expect(gate.groups).toEqual([[1]]);
    gate.release();
    await first;
    await setImmediate();
    gate.release();
    await Promise.all(rest);
    expect(gate.groups).toEqual([[1], [2, 3]]);
  });

  it('bounds a group by items, and begins small', async () => {
    const gate = gatedCommit();
    const commit = group(gate, { maxItemsPerCommit: 100, maxWaitingItems: 1_000, sizeOf: () => 1 });
    await Promise.all(Array.from({ length: 300 }, (_, item) => commit.add(item)));
    expect(gate.groups.map(({ length }) => length)).toEqual([32, 64, 100, 100, 4]);
  });

  it('sizes the next group by what the last one cost, and never below one item', async () => {
    const gate = gatedCommit();
    const commit = group(gate, {
      maxItemsPerCommit: 100,
      maxCostPerCommit: 100,
      sizeOf: () => 1,
      costOf: (item) => (item < 32 ? 10 : 5_000),
    });
    await Promise.all(Array.from({ length: 45 }, (_, item) => commit.add(item)));
    expect(gate.groups.map(({ length }) => length)).toEqual([32, 10, 1, 1, 1]);
  });

  it('commits a failed group item by item, so that one bad item fails alone', async () => {
    const gate = gatedCommit({ fails: (items) => items.includes(2) });
    const commit = group(gate);
    const settled = await Promise.allSettled([commit.add(1), commit.add(2), commit.add(3)]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(gate.groups).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('stops asking a storage that is away, and refuses with its error everything that waits', async () => {
    const gate = gatedCommit({ fails: () => true });
    const commit = group(gate, { sizeOf: () => 1 });
    const settled = await Promise.allSettled(Array.from({ length: 60 }, (_, item) => commit.add(item)));
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
    expect(gate.groups.map(({ length }) => length)).toEqual([10, 10, 1, 1]);
    await expect(commit.add(1)).rejects.toThrow('refused 1');
  });

  it('writes a group once more where a connection broke, and then nothing item by item', async () => {
    let failures = 1;
    const gate = gatedCommit({ fails: () => failures-- > 0 });
    const commit = group(gate, { sizeOf: () => 1 });
    await Promise.all(Array.from({ length: 25 }, (_, item) => commit.add(item)));
    expect(gate.groups.map(({ length }) => length)).toEqual([10, 10, 10, 5]);
  });

  it('writes an item that is alone in its group once more, and then refuses it', async () => {
    let failures = 1;
    const gate = gatedCommit({ fails: () => failures-- > 0 });
    const commit = group(gate);
    await expect(commit.add(1)).resolves.toBe('done 1');
    failures = 2;
    await expect(commit.add(2)).rejects.toThrow('refused 2');
    expect(gate.groups).toEqual([[1], [1], [2], [2]]);
  });

  it.each([0, 3, 20, 137, 250, 499])('writes all but one bad item of 500: number %i', async (bad) => {
    const gate = gatedCommit({ fails: (items) => items.includes(bad) });
    const commit = group(gate, { sizeOf: () => 1, maxItemsPerCommit: 500, maxWaitingItems: 1_000 });
    // A group may have twice the items of the one before.
    for (let round = 0; round < 5; round++) await commit.add(1_000 + round);
    gate.groups.length = 0;
    const settled = await Promise.allSettled(Array.from({ length: 500 }, (_, item) => commit.add(item)));
    expect(settled.flatMap(({ status }, item) => (status === 'rejected' ? [item] : []))).toEqual([bad]);
    expect(gate.groups.slice(0, 2).map(({ length }) => length)).toEqual([500, 500]);
    expect(gate.groups).toHaveLength(502);
    const written = gate.groups.filter((items) => !items.includes(bad)).flat();
    expect(written).toEqual([...Array(500).keys()].filter((item) => item !== bad));
  });

  it('refuses items beyond what may wait, by number and by size, and goes on afterwards', async () => {
    const gate = gatedCommit({ isHeld: true });
    const commit = group(gate, { maxWaitingItems: 2, maxWaitingSize: 10 });
    const first = commit.add(1);
    await Promise.resolve();
    const second = commit.add(8);
    await expect(commit.add(3)).rejects.toMatchObject({ code: 'overloaded' });
    const third = commit.add(1);
    await expect(commit.add(1)).rejects.toMatchObject({ code: 'overloaded' });
    gate.release();
    await first;
    await setImmediate();
    gate.release();
    await Promise.all([second, third]);
    const later = commit.add(9);
    await Promise.resolve();
    gate.release();
    await expect(later).resolves.toBe('done 9');
  });

  it('says of items that they are given again', async () => {
    const calls: [readonly number[], boolean][] = [];
    const commit = group(gatedCommit(), {
      async commit(items, isRetry) {
        calls.push([items, isRetry]);
        if (items.length > 1) throw new Error('lost');
        return items.map(String);
      },
    });
    await Promise.all([1, 2, 3, 4].map((item) => commit.add(item)));
    expect(calls).toEqual([
      [[1, 2, 3, 4], false],
      [[1, 2, 3, 4], true],
      [[1], true],
      [[2], true],
      [[3], true],
      [[4], true],
    ]);
  });

  it('rejects what it is told to abandon, also what is being written, and writes nothing more', async () => {
    const gate = gatedCommit({ isHeld: true });
    const commit = group(gate, { maxItemsPerCommit: 2 });
    const settled = Promise.allSettled([1, 2, 3].map((item) => commit.add(item)));
    await setImmediate();
    commit.abandon(new Error('closed'));
    const reason = new Error('closed');
    expect(await settled).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason })));
    await expect(commit.add(4)).rejects.toThrow('closed');
    gate.release();
    await commit.idle();
    expect(gate.groups).toEqual([[1, 2]]);
  });

  it('rejects when the commit answers another number of results than it was given items', async () => {
    const commit = createGroupCommit<number, string>({
      commit: async () => [],
      sizeOf: () => 1,
      costOf: () => 1,
      maxItemsPerCommit: 10,
      maxCostPerCommit: 10,
      maxWaitingItems: 10,
      maxWaitingSize: 10,
    });
    await expect(commit.add(1)).rejects.toThrow(RangeError);
  });

  it('is idle once everything is written', async () => {
    const gate = gatedCommit();
    const commit = group(gate, { maxItemsPerCommit: 1 });
    let written = 0;
    for (const item of [1, 2, 3])
      void commit.add(item).then(() => {
        written += 1;
      });
    await commit.idle();
    await Promise.resolve();
    expect(written).toBe(3);
  });

  describe('that is told to gather', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });

    it('waits until its time is over', async () => {
      const gate = gatedCommit();
      const commit = group(gate, { batchWindow: { items: 3, withinMs: 5, timers: globalTimers() } });
      void commit.add(1);
      await vi.advanceTimersByTimeAsync(4);
      void commit.add(2);
      await turns(10);
      expect(gate.groups).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await commit.idle();
      expect(gate.groups).toEqual([[1, 2]]);
    });

    it('waits no longer once it has enough', async () => {
      const gate = gatedCommit();
      const commit = group(gate, { batchWindow: { items: 3, withinMs: 5, timers: globalTimers() } });
      void commit.add(1);
      await vi.advanceTimersByTimeAsync(1);
      void commit.add(2);
      void commit.add(3);
      await commit.idle();
      expect(gate.groups).toEqual([[1, 2, 3]]);
      for (const item of [4, 5, 6]) void commit.add(item);
      await commit.idle();
      expect(gate.groups).toEqual([
        [1, 2, 3],
        [4, 5, 6],
      ]);
      expect(vi.getTimerCount()).toBe(0);
    });

    it('lets what its items have set in motion begin before it writes them', async () => {
      const gate = gatedCommit();
      const commit = group(gate, { batchWindow: { items: 3, withinMs: 5, timers: globalTimers() } });
      for (const item of [1, 2, 3]) void commit.add(item);
      // Somebody finds out in the next turn, and begins in the one after it.
      await turns(2);
      expect(gate.groups).toEqual([]);
      await commit.idle();
      expect(gate.groups).toEqual([[1, 2, 3]]);
    });
  });
});

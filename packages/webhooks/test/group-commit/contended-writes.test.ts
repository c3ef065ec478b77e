import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Contention } from '../../src/group-commit/contended-writes.ts';
import { type Gate, gatedCommit, group, turns } from './gated-commit.ts';

describe('a group commit that meets contention', () => {
  /** What is locked, by tens: 31 and 38 need the same. */
  const locked = new Set<string>();
  const scopesOf = (item: number) => [`tens ${Math.floor(item / 10)}`];
  const contention: Contention<number> = {
    scopeOf: (error, item) => (String(error).includes('refused') ? scopesOf(item)[0] : undefined),
    scopesOf,
  };
  const lockedCommit = () =>
    gatedCommit({ fails: (items) => items.flatMap(scopesOf).some((scope) => locked.has(scope)) });
  /** Of groups; a single item may be a try of what is locked. */
  const sizesOf = ({ groups }: Gate) => groups.map(({ length }) => length).filter((length) => length > 1);

  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
    locked.clear();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('halves the group until an item is left by itself, and goes on without what needs the same', async () => {
    const gate = lockedCommit();
    const commit = group(gate, { contention });
    locked.add('tens 3');
    const [first, second, ...free] = [30, 39, 1, 2, 38, 4].map((item) => commit.add(item));
    expect(await Promise.all(free.filter((_, index) => index !== 2))).toEqual(['done 1', 'done 2', 'done 4']);
    expect(gate.groups.slice(0, 3)).toEqual([
      [30, 39, 1, 2, 38, 4],
      [30, 39, 1],
      [30, 39],
    ]);
    expect(gate.groups.filter((items) => items.length === 1 && items[0] === 39)).toEqual([]);
    const idle = vi.fn();
    const idling = commit.idle().then(idle);
    await turns(10);
    expect(idle).not.toHaveBeenCalled();
    locked.clear();
    await vi.advanceTimersByTimeAsync(50);
    expect(await Promise.all([first, second, free[2]])).toEqual(['done 30', 'done 39', 'done 38']);
    await idling;
  });

  it('tries what is locked in the asynchronous context of no caller, also after it has given up', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen = new Set<string | undefined>();
    const gate = lockedCommit();
    const commit = group(
      {
        ...gate,
        commit: (items) => {
          seen.add(request.getStore());
          return gate.commit(items);
        },
      },
      { contention },
    );
    locked.add('tens 3');
    const refused = expect(request.run('first', () => commit.add(30))).rejects.toThrow('refused 30');
    await vi.advanceTimersByTimeAsync(11_000);
    await refused;
    const written = ['a', 'b', 'c'].map((name, index) => request.run(name, () => commit.add(31 + index)));
    await vi.advanceTimersByTimeAsync(200);
    locked.clear();
    await vi.advanceTimersByTimeAsync(200);
    expect(await Promise.all(written)).toEqual(['done 31', 'done 32', 'done 33']);
    expect([...seen]).toEqual([undefined]);
  });

  it('writes a group of others without another failure, however many come in for what is locked', async () => {
    const gate = lockedCommit();
    const commit = group(gate, { contention });
    locked.add('tens 3');
    const held = [commit.add(31)];
    await turns(10);
    gate.groups.length = 0;
    for (let round = 0; round < 20; round++) {
      held.push(commit.add(32), commit.add(33));
      await Promise.all([commit.add(1), commit.add(2), commit.add(3)]);
      held.push(commit.add(34));
    }
    expect(gate.groups).toEqual(Array.from({ length: 20 }, () => [1, 2, 3]));
    gate.groups.length = 0;
    locked.clear();
    await vi.advanceTimersByTimeAsync(50);
    await Promise.all(held);
    expect(gate.groups[0]).toEqual([31]);
    expect(sizesOf(gate).reduce((sum, size) => sum + size)).toBe(60);
    // What was locked is so no more.
    gate.groups.length = 0;
    expect(await Promise.all([commit.add(31), commit.add(1)])).toEqual(['done 31', 'done 1']);
    expect(gate.groups).toEqual([[31, 1]]);
  });

  it('gives every second group to others while it writes what was locked', async () => {
    const gate = lockedCommit();
    const commit = group(gate, { contention, sizeOf: () => 1, maxItemsPerCommit: 2 });
    locked.add('tens 3');
    const held = [31, 32, 33, 34, 35, 36, 37].map((item) => commit.add(item));
    await turns(20);
    const others = held[0]?.then(() => Promise.all([1, 2, 3, 4].map((item) => commit.add(item))));
    gate.groups.length = 0;
    locked.clear();
    await vi.advanceTimersToNextTimerAsync();
    await Promise.all([...held, others]);
    expect(gate.groups).toHaveLength(6);
    expect(gate.groups.findIndex((items) => items.includes(4))).toBeLessThanOrEqual(4);
    expect(gate.groups.at(-1)).toEqual([36, 37]);
  });

  it('does not take it for a storage that is away, however many items fail', async () => {
    const gate = lockedCommit();
    const commit = group(gate, { contention });
    for (const tens of [1, 2, 3, 4, 5, 6]) locked.add(`tens ${tens}`);
    const held = [10, 20, 30, 40, 50, 60].map((item) => commit.add(item));
    expect(await commit.add(9)).toBe('done 9');
    locked.clear();
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(held)).toHaveLength(6);
  });

  it('tries four at once of what is locked, and pauses', async () => {
    const gate = lockedCommit();
    const commit = group(gate, { contention });
    for (const tens of [1, 2, 3, 4, 5, 6]) locked.add(`tens ${tens}`);
    const held = [10, 20, 30, 40, 50, 60].map((item) => commit.add(item));
    await turns(20);
    // However the first round ended.
    await vi.advanceTimersByTimeAsync(200);
    gate.groups.length = 0;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(gate.groups.length).toBeGreaterThanOrEqual(40);
    expect(gate.groups.length).toBeLessThanOrEqual(80);
    commit.abandon(new Error('closed'));
    await Promise.allSettled(held);
  });

  it('gives up what has waited for 10 s, with the error of the last try', async () => {
    const gate = lockedCommit();
    const commit = group(gate, { contention });
    locked.add('tens 3');
    const settled = vi.fn();
    for (const item of [31, 32]) commit.add(item).catch(settled);
    await vi.advanceTimersByTimeAsync(5_000);
    const late = commit.add(33);
    await vi.advanceTimersByTimeAsync(4_900);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(400);
    expect(settled.mock.calls).toEqual([[new Error('refused 31')], [new Error('refused 31')]]);
    locked.clear();
    await vi.advanceTimersByTimeAsync(50);
    expect(await late).toBe('done 33');
  });

  it('gives up in time also what is not tried for long, as much else is locked', async () => {
    const gate = gatedCommit({ fails: () => true });
    const scopesOfOne = (item: number) => [`${item}`];
    const each = { scopeOf: (_error: unknown, item: number) => `${item}`, scopesOf: scopesOfOne };
    const bounds = { sizeOf: () => 1, maxWaitingItems: 5_000 };
    const commit = group(gate, { contention: each, ...bounds });
    const settled = vi.fn();
    for (let item = 0; item < 4_000; item++) commit.add(item).catch(settled);
    await vi.advanceTimersByTimeAsync(9_900);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(700);
    expect(settled).toHaveBeenCalledTimes(4_000);
  });

  it('remembers what is locked until an item that needs it is written', async () => {
    const gate = lockedCommit();
    const commit = group(gate, { contention });
    locked.add('tens 3');
    const settled = vi.fn();
    commit.add(31).catch(settled);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(settled).toHaveBeenCalled();
    gate.groups.length = 0;
    const late = [commit.add(32), commit.add(33)];
    expect(await commit.add(1)).toBe('done 1');
    expect(gate.groups).toEqual([[32], [1]]);
    locked.clear();
    await vi.advanceTimersByTimeAsync(50);
    expect(await Promise.all([...late, commit.add(34), commit.add(2)])).toHaveLength(4);
    expect(gate.groups.slice(2)).toEqual([[32], [33], [34, 2]]);
  });

  it('refuses only what needs the same where too much waits for it', async () => {
    const gate = lockedCommit();
    const commit = group(gate, { contention, maxWaitingItems: 3 });
    locked.add('tens 3');
    const held = [commit.add(31)];
    await turns(10);
    held.push(commit.add(32), commit.add(33));
    await expect(commit.add(34)).rejects.toMatchObject({ code: 'overloaded' });
    expect(await Promise.all([1, 2, 3].map((item) => commit.add(item)))).toHaveLength(3);
    locked.clear();
    await vi.advanceTimersByTimeAsync(50);
    expect(await Promise.all(held)).toEqual(['done 31', 'done 32', 'done 33']);
  });

  it('lets an item that fails for another reason free the others', async () => {
    let isAway = false;
    const commit = group(gatedCommit(), {
      contention,
      async commit(items) {
        if (isAway && items.includes(31)) throw new Error('away');
        if (!isAway && items.flatMap(scopesOf).includes('tens 3')) throw new Error('refused');
        return items.map((item) => `done ${item}`);
      },
    });
    const [first, second] = [commit.add(31), commit.add(32)];
    first.catch(() => undefined);
    await turns(10);
    isAway = true;
    await vi.advanceTimersByTimeAsync(50);
    await expect(first).rejects.toThrow('away');
    expect(await second).toBe('done 32');
  });

  it('rejects what waits for a lock when it is told to abandon, and tries it no more', async () => {
    const gate = lockedCommit();
    const commit = group(gate, { contention });
    locked.add('tens 3');
    const settled = Promise.allSettled([31, 32].map((item) => commit.add(item)));
    await turns(10);
    commit.abandon(new Error('closed'));
    gate.groups.length = 0;
    const reason = new Error('closed');
    expect(await settled).toEqual([1, 2].map(() => ({ status: 'rejected', reason })));
    const idling = commit.idle();
    await vi.advanceTimersByTimeAsync(50);
    await idling;
    expect(gate.groups).toEqual([]);
  });
});

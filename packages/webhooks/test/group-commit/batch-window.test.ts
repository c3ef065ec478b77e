import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBatchWindow } from '../../src/group-commit/batch-window.ts';
import { globalTimers } from '../global-timers.ts';

/** Turns of the event loop, which this test does not fake. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A window for three items within 5 ms, and whether it is open. */
function openWindow(gathered = 0) {
  const state = { gathered, isOpen: true };
  const window = createBatchWindow(() => state.gathered);
  void window.wait({ items: 3, withinMs: 5, timers: globalTimers() }).then(() => {
    state.isOpen = false;
  });
  const add = () => {
    state.gathered += 1;
    window.added();
  };
  return { state, add };
}

describe('a batch window', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('stays open until its time is over', async () => {
    const { state, add } = openWindow();
    add();
    await vi.advanceTimersByTimeAsync(4);
    await turns(5);
    expect(state.isOpen).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    await turns(5);
    expect(state.isOpen).toBe(false);
  });

  it('closes once it has enough, two turns later, and leaves no timer', async () => {
    const { state, add } = openWindow();
    for (let item = 0; item < 3; item += 1) add();
    await turns(1);
    expect(state.isOpen).toBe(true);
    await turns(4);
    expect([state.isOpen, vi.getTimerCount()]).toEqual([false, 0]);
  });

  it('sets no timer where it has enough from the start', async () => {
    const { state } = openWindow(3);
    expect(vi.getTimerCount()).toBe(0);
    await turns(5);
    expect(state.isOpen).toBe(false);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSweep } from '../../src/delivery/sweep.ts';

describe('the sweep', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('polls at once and then at every interval, until it is stopped', async () => {
    let polls = 0;
    const poll = async () => {
      polls += 1;
    };
    const { stop } = startSweep({ poll }, 5_000);
    await vi.advanceTimersByTimeAsync(0);
    expect(polls).toBe(1);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(polls).toBe(1);
    await vi.advanceTimersByTimeAsync(5_001);
    expect(polls).toBe(3);
    await stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(polls).toBe(3);
  });
});

it('keeps the process alive while it waits', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const { stop } = startSweep({ poll: async () => {} }, 60_000);
  expect(timers()).toBe(before + 1);
  await stop();
});

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withDeadline } from '../src/deadline.ts';

const refuse = (): never => {
  throw new Error('too late');
};

describe('withDeadline', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('gives what the work gives in time, and leaves no timer', async () => {
    expect(await withDeadline(Promise.resolve('done'), 1_000, refuse)).toBe('done');
    expect(await withDeadline('at once', 1_000, refuse)).toBe('at once');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects as the work does in time, and leaves no timer', async () => {
    await expect(withDeadline(Promise.reject(new Error('broken')), 1_000, refuse)).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['answers', () => 'late'],
    ['waits on for', async () => 'late'],
  ])('%s what onLate gives where the work is late, and not before', async (_, onLate) => {
    let answer: string | undefined;
    const waiting = withDeadline(new Promise<never>(() => {}), 1_000, onLate).then((given) => {
      answer = given;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(answer).toBe('late');
  });

  it('throws what onLate throws', async () => {
    const refusal = expect(withDeadline(new Promise(() => {}), 1_000, refuse)).rejects.toThrow('too late');
    await vi.advanceTimersByTimeAsync(1_000);
    await refusal;
  });

  it('does not ask onLate where the work was in time', async () => {
    const onLate = vi.fn();
    await withDeadline(Promise.resolve(), 1_000, onLate);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(onLate).not.toHaveBeenCalled();
  });

  it('hears a rejection that comes late', async () => {
    const unheard = vi.fn();
    process.on('unhandledRejection', unheard);
    try {
      let fail = (_: Error) => {};
      const work = new Promise<never>((_, reject) => {
        fail = reject;
      });
      const waiting = withDeadline(work, 1_000, () => 'late');
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await waiting).toBe('late');
      fail(new Error('broken'));
      // Node tells of rejections that nobody has heard after the microtasks of a turn.
      vi.useRealTimers();
      await new Promise((resolve) => setImmediate(resolve));
      expect(unheard).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unheard);
    }
  });

  it.each([false, true])('keeps a process alive unless it is unref: %s', async (unref) => {
    vi.useRealTimers();
    const timers = vi.spyOn(globalThis, 'setTimeout');
    let finish = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const waiting = withDeadline(work, 60_000, refuse, { unref });
    expect(timers.mock.results[0]?.value.hasRef()).toBe(!unref);
    finish();
    await waiting;
    timers.mockRestore();
  });
});

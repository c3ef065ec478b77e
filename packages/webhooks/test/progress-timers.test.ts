import { mock } from 'node:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isSetImmediateFaked } from '../src/progress-timers.ts';

const { setImmediate } = globalThis;

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
  globalThis.setImmediate = setImmediate;
});

describe('isSetImmediateFaked', () => {
  it.each<[string, () => void]>([
    ['Vitest and Jest', () => vi.useFakeTimers({ toFake: ['setImmediate'] })],
    ['the legacy timers of Jest', () => vi.spyOn(globalThis, 'setImmediate')],
    ['node:test', () => mock.timers.enable({ apis: ['setImmediate'] })],
  ])('knows the timer that %s put in place', (_, fake) => {
    expect(isSetImmediateFaked()).toBe(false);
    fake();
    expect(isSetImmediateFaked()).toBe(true);
  });

  it('takes no wrapper for a fake, nor a fake of other timers', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
    expect(isSetImmediateFaked()).toBe(false);
    const wrapper = (...given: Parameters<typeof setImmediate>) => setImmediate(...given);
    globalThis.setImmediate = Object.assign(wrapper, { __promisify__: setImmediate.__promisify__ });
    expect(isSetImmediateFaked()).toBe(false);
    globalThis.setImmediate = setImmediate.bind(globalThis) as typeof setImmediate;
    expect(isSetImmediateFaked()).toBe(false);
  });
});

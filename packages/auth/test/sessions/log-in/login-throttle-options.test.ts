import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../../toolkit/test/in-one-test.ts';
import {
  type LoginThrottleOptions,
  resolveLoginThrottleOptions,
} from '../../../src/sessions/log-in/login-throttle-options.ts';

describe('resolveLoginThrottleOptions', () => {
  it('has defaults', () => {
    expect(resolveLoginThrottleOptions({})).toEqual({
      maxFailuresPerAccount: 10,
      maxFailuresPerAddress: 100,
      windowSeconds: 900,
      store: undefined,
    });
  });

  inOneTest<[string, object]>([
    ['loginThrottle.maxFailuresPerAccount', { maxFailuresPerAccount: 0 }],
    ['loginThrottle.maxFailuresPerAccount', { maxFailuresPerAccount: 100_001 }],
    ['loginThrottle.maxFailuresPerAddress', { maxFailuresPerAddress: 1.5 }],
    ['loginThrottle.windowSeconds', { windowSeconds: 0 }],
    ['loginThrottle.windowSeconds', { windowSeconds: 86_401 }],
    ['loginThrottle.windowSeconds', { windowSeconds: '900' }],
    ['loginThrottle.store', { store: null }],
    ['loginThrottle.store', { store: { add: () => [] } }],
    ['loginThrottle.store', { store: { forget: () => [] } }],
    ['"maxFailures"', { maxFailures: 3 }],
  ])('names what it refuses: %s', (name, options) => {
    const resolve = () => resolveLoginThrottleOptions(options as LoginThrottleOptions);
    expect(resolve).toThrow(TypeError);
    expect(resolve).toThrow(name);
  });
});

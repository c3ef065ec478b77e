import { describe, expect, it } from 'vitest';
import { requireAuth } from '../../src/nest/guards.ts';

describe('the guards of Nest', () => {
  it('need an instance when the route is set up', () => {
    // @ts-expect-error A guard without an instance does not compile.
    expect(() => requireAuth()).toThrow(TypeError);
  });
});

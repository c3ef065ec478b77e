import { describe, expect, it } from 'vitest';
import { RELAPSE_MS, type Slowness, slownessAfter } from '../../../src/delivery/claim/slowness.ts';

/** How slow a webhook is after attempts at these times, each slow or not. */
function slownessOf(...attempts: readonly (readonly [at: number, isSlow: boolean])[]): Slowness | undefined {
  let slowness: Slowness | undefined;
  for (const [at, isSlow] of attempts) slowness = slownessAfter(slowness, isSlow, at);
  return slowness;
}

describe('the slowness of a webhook', () => {
  it('is none while every answer is prompt', () => {
    expect(slownessOf([0, false], [1, false])).toMatchObject({ isSuspect: false, hasRelapsed: false });
  });

  it('makes it a suspect until its first prompt answer', () => {
    expect(slownessOf([5, true])).toEqual({ isSuspect: true, slowAt: 5, hasRelapsed: false });
    expect(slownessOf([5, true], [6, true])).toEqual({ isSuspect: true, slowAt: 6, hasRelapsed: false });
    expect(slownessOf([5, true], [6, false])).toEqual({ isSuspect: false, slowAt: 5, hasRelapsed: false });
  });

  it('is a relapse when it comes again within ten minutes, until it has not come for as long', () => {
    const relapse = [
      [0, true],
      [1, false],
      [RELAPSE_MS - 1, true],
    ] as const;
    expect(slownessOf(...relapse)).toMatchObject({ isSuspect: true, hasRelapsed: true });
    const last = 2 * RELAPSE_MS - 2;
    expect(slownessOf(...relapse, [last, false])).toMatchObject({ isSuspect: true, hasRelapsed: true });
    expect(slownessOf(...relapse, [last + 1, false])).toMatchObject({ isSuspect: false, hasRelapsed: false });
  });

  it('is no relapse when it comes again after ten minutes', () => {
    const again = slownessOf([0, true], [1, false], [RELAPSE_MS, true]);
    expect(again).toEqual({ isSuspect: true, slowAt: RELAPSE_MS, hasRelapsed: false });
  });
});

import { describe, expect, it } from 'vitest';
import { RACERS, StoreHarness } from '../../../contract/store/store-harness.ts';

const close = async () => {};

describe('StoreHarness', () => {
  it('lets callers race on both connections in turn', async () => {
    const harness = new StoreHarness({ store: 'first', secondProcess: 'second', close });
    const raced = await harness.race(async (store, caller) => `${store} ${caller}`, 4);
    expect(raced).toEqual(['first 0', 'second 1', 'first 2', 'second 3']);
  });

  it('lets all race on the one connection that there is', async () => {
    const harness = new StoreHarness({ store: 'first', close });
    expect(await harness.race(async (store) => store)).toEqual(Array(RACERS).fill('first'));
  });

  it('names the option that a missing second process contradicts', () => {
    const harness = new StoreHarness({ store: 'first', close });
    expect(() => harness.secondProcess).toThrow('although hasSecondProcess is set');
  });
});

import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { storeContract } from '../../../src/testing/store-contract/store-contract.ts';
import { StoreHarness } from '../../../src/testing/store-contract/store-harness.ts';

function contractOf(run: (harness: StoreHarness<string>) => Promise<void>, hasSecondProcess: boolean) {
  const closed: string[] = [];
  const cases = storeContract<string, StoreHarness<string>>(
    async () => ({ store: 'first', close: async () => void closed.push('first') }),
    { hasSecondProcess },
    (underTest) => new StoreHarness(underTest),
    [
      { name: 'for one process', run },
      { name: 'for two processes', needsSecondProcess: true, run },
    ],
  );
  return { cases, closed };
}

describe('storeContract', () => {
  it.each([
    [false, ['for one process']],
    [true, ['for one process', 'for two processes']],
  ])('has the cases that fit where hasSecondProcess is %s', (hasSecondProcess, expected) => {
    const { cases } = contractOf(async () => {}, hasSecondProcess);
    expect(cases.map(({ name }) => name)).toEqual(expected);
  });

  it('closes what a case used, also when the case fails', async () => {
    const { cases, closed } = contractOf(async ({ secondProcess }) => void secondProcess, true);
    for (const { run } of cases) await expect(run()).rejects.toThrow(AssertionError);
    expect(closed).toEqual(['first', 'first']);
  });
});

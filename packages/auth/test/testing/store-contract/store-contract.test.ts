import assert, { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { storeContractCases } from '../../../contract/store/store-contract.ts';
import { StoreHarness } from '../../../contract/store/store-harness.ts';

interface Cell {
  read(): Promise<number>;
  write(value: number): Promise<void>;
}

const CELL = { name: 'Cell', methods: { read: true, write: true } } as const;
const zeroCell: Cell = Object.freeze({ read: async () => 0, write: async () => {} });

function contractOf(
  run: (harness: StoreHarness<Cell>) => Promise<void>,
  hasSecondProcess: boolean,
  store: Cell = zeroCell,
) {
  const closed: string[] = [];
  const topics = [{ 'for one process': run, 'for two processes': { needsSecondProcess: true, run } }];
  const createStore = async () => ({ store, close: async () => void closed.push('first') });
  const contract = { wanted: CELL, Harness: StoreHarness<Cell>, topics };
  const cases = storeContractCases(contract, createStore, { hasSecondProcess });
  return { cases, closed };
}

describe('storeContractCases', () => {
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

  it('runs a store and its harness that are instances of classes', async () => {
    class ClassCell implements Cell {
      #value = 0;
      async read(): Promise<number> {
        return this.#value;
      }
      async write(value: number): Promise<void> {
        this.#value = value;
      }
    }
    class UnderTest {
      readonly #cell = new ClassCell();
      get store(): Cell {
        return this.#cell;
      }
      get secondProcess(): Cell {
        return this.#cell;
      }
      async close(): Promise<void> {}
    }
    const topics = [
      {
        'writes for both': {
          needsSecondProcess: true,
          run: async ({ store, secondProcess }: StoreHarness<Cell>) => {
            await store.write(7);
            assert.equal(await secondProcess.read(), 7);
          },
        },
      },
    ];
    const contract = { wanted: CELL, Harness: StoreHarness<Cell>, topics };
    const cases = storeContractCases(contract, async () => new UnderTest(), { hasSecondProcess: true });
    for (const { run } of cases) await run();
    expect(cases).toHaveLength(1);
  });

  it('says in a failure which promise is broken, and which methods the case called', async () => {
    const { cases } = contractOf(async ({ store }) => {
      await store.write(7);
      assert.equal(await store.read(), 7);
    }, false);
    await expect(cases[0]?.run()).rejects.toThrow(
      /Broken promise: for one process\.\nSee what the comments of Cell promise\. .*: write, read\.$/,
    );
  });

  it('names every method that a store lacks where one is needed, and closes it', async () => {
    // @ts-expect-error what JavaScript may give
    const { cases, closed } = contractOf(async ({ store }) => store.read(), false, {});
    await expect(cases[0]?.run()).rejects.toThrow('store lacks the methods read, write of Cell');
    expect(closed).toEqual(['first']);
  });
});

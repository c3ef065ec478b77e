import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedList } from '../../src/storage/memory/sorted-list.ts';

interface Numbered {
  readonly number: number;
}

const numbered = (): SortedList<Numbered> => new SortedList((a, b) => a.number - b.number);

function assertHolds(list: SortedList<Numbered>, expected: readonly Numbered[], place: number): void {
  const comesBefore = ({ number }: Numbered) => number < place;
  const split = expected.filter(comesBefore).length;
  expect([...list.from()]).toEqual(expected);
  expect([...list.backFrom()]).toEqual(expected.toReversed());
  expect([...list.from(comesBefore)]).toEqual(expected.slice(split));
  expect([...list.backFrom(comesBefore)]).toEqual(expected.slice(0, split).toReversed());
  expect(list.countBefore(comesBefore)).toBe(split);
  expect([list.size, list.first, list.last]).toEqual([expected.length, expected[0], expected.at(-1)]);
}

test('holds what a sorted array holds, whatever is added and deleted', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: -2_000, max: 2_000 }), { maxLength: 1_500, size: 'max' });
  const property = fc.property(
    numbers,
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: -2_100, max: 2_100 }),
    (added, deletedEvery, place) => {
      const list = numbered();
      const items = added.map((number) => ({ number }));
      for (const item of items) list.add(item);
      const inOrder = items.toSorted((a, b) => a.number - b.number);
      assertHolds(list, inOrder, place);
      const deleted = new Set(items.filter((_, i) => i % deletedEvery === 0));
      for (const item of deleted) expect(list.delete(item)).toBe(true);
      const rest = inOrder.filter((item) => !deleted.has(item));
      assertHolds(list, rest, place);
      for (const item of deleted) expect(list.delete(item)).toBe(false);
      for (const item of deleted) list.add(item);
      assertHolds(list, inOrder, place);
    },
  );
  fc.assert(property, { numRuns: 30 });
});

test('deletes the very item, not one in the same place', () => {
  const list = numbered();
  const item = { number: 1 };
  list.add(item);
  expect(list.delete({ number: 1 })).toBe(false);
  expect([...list.from()]).toEqual([item]);
});

test('looks at few items, however many it holds', () => {
  let comparisons = 0;
  const list = new SortedList<Numbered>((a, b) => {
    comparisons++;
    return a.number - b.number;
  });
  const items = Array.from({ length: 50_000 }, (_, number) => ({ number: (number * 7_919) % 50_000 }));
  for (const item of items) list.add(item);
  for (const item of items) list.delete(item);
  expect(list.size).toBe(0);
  // Two binary searches each, one among chunks and one in a chunk, of at most 17 steps together.
  expect(comparisons / (2 * items.length)).toBeLessThan(20);
});

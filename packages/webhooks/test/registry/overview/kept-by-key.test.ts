import { expect, it } from 'vitest';
import { keptByKey } from '../../../src/registry/overview/kept-by-key.ts';

it('creates what belongs to a key once, and anew for a key that was not asked for lately', () => {
  const created: string[] = [];
  const of = keptByKey(2, (key: string) => {
    created.push(key);
    return { key };
  });
  expect(of('a')).toBe(of('a'));
  for (const key of ['b', 'a', 'c', 'a']) of(key);
  expect(created).toEqual(['a', 'b', 'c']);
  expect(of('b')).toEqual({ key: 'b' });
  expect(created).toEqual(['a', 'b', 'c', 'b']);
});

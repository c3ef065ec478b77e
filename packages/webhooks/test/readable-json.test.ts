import { expect, it } from 'vitest';
import { readableJson } from '../src/readable-json.ts';

it('shows numbers, text and members as they were written', () => {
  const text = '{"id":8202522731445525542,"total":1.10,"e":1E400,"m":-0,"m":{},"a":[ ],"t":"\\u00e9{,\\"[:"}';
  expect(readableJson(text)).toBe(
    '{\n  "id": 8202522731445525542,\n  "total": 1.10,\n  "e": 1E400,\n  "m": -0,\n  "m": {},\n  "a": [],\n  "t": "\\u00e9{,\\"[:"\n}',
  );
});

it('indents as JSON.stringify does', () => {
  for (const value of [{ a: [1, { b: [] }, [[]]], c: {} }, [], 'x', null, [{}]]) {
    expect(readableJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  }
});

it('keeps a text that is no JSON', () => {
  expect(readableJson('{"a":')).toBe('{"a":');
});

it.each([
  ['one of 8 KB', 4_000, 1],
  ['thirty beside each other in 240 KB', 4_000, 30],
])('keeps a hostile nest as it is: %s', (_, depth, siblings) => {
  const nest = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const text = `[${Array.from({ length: siblings }, () => nest).join(',')}]`;
  expect(readableJson(text)).toBe(text);
});

it('never makes more than five million characters', () => {
  for (const depth of [1, 10, 100, 1_000]) {
    const inner = Array.from({ length: Math.floor(1_900_000 / depth / 2) }, () => '1').join(',');
    const text = `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;
    expect(readableJson(text).length).toBeLessThan(5_000_000);
  }
});

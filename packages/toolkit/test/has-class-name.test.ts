import { expect, test } from 'vitest';
import { hasClassName } from '../src/has-class-name.ts';

test('an instance of a class or of one below it has the name of the class', () => {
  class Adapter {}
  class Below extends Adapter {}
  const anotherCopy = { Adapter: class Adapter {} }.Adapter;
  for (const value of [new Adapter(), new Below(), new anotherCopy()]) {
    expect(hasClassName(value, 'Adapter')).toBe(true);
  }
  expect(hasClassName(new Below(), 'Below')).toBe(true);
  expect(hasClassName(new Adapter(), 'Below')).toBe(false);
  expect(hasClassName(Object.create(null), 'Adapter')).toBe(false);
});

test('no more than eight classes are looked at', () => {
  class Adapter {}
  let deep: new () => object = Adapter;
  for (let depth = 1; depth < 8; depth += 1) deep = class extends deep {};
  expect(hasClassName(new deep(), 'Adapter')).toBe(true);
  deep = class extends deep {};
  expect(hasClassName(new deep(), 'Adapter')).toBe(false);
});

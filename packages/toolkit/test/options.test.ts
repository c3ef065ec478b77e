import { describe, expect, it } from 'vitest';
import { integerOption, objectOption, refuseUnknownOptions, serviceOption } from '../src/options.ts';
import type { ServiceInterface } from '../src/service-interface.ts';
import { inOneTest } from './in-one-test.ts';

describe('integerOption', () => {
  const bounds = { min: 2, max: 5 };

  inOneTest([2, 3, 5])('returns %d, which is within 2 and 5', (value) => {
    expect(integerOption('limit', value, bounds)).toBe(value);
  });

  it('returns the default for what is left out, and refuses it without one', () => {
    expect(integerOption('limit', undefined, { ...bounds, default: 4 })).toBe(4);
    expect(() => integerOption('limit', undefined, bounds)).toThrow('not a value of type undefined');
  });

  inOneTest<[unknown, string]>([
    [1, '1'],
    [6, '6'],
    [2.5, '2.5'],
    [Number.NaN, 'NaN'],
    ['3', 'a value of type string'],
    [3n, 'a value of type bigint'],
    [[3], 'an array'],
  ])('refuses %o, and names the option, the bounds and what was given', (value, told) => {
    expect(() => integerOption('limit', value as number, bounds)).toThrow(
      new TypeError(`limit must be an integer from 2 to 5, not ${told}`),
    );
  });

  inOneTest([2 ** 53, Number.POSITIVE_INFINITY])('refuses %d, however high the bound is', (value) => {
    expect(() => integerOption('limit', value, { min: 0, max: Number.POSITIVE_INFINITY })).toThrow(TypeError);
  });
});

describe('refuseUnknownOptions', () => {
  const KNOWN = new Set(['clock', 'logger']);

  inOneTest([{}, { clock: 1 }, { logger: undefined, clock: 1 }, Object.create({ klock: 1 })])(
    'accepts %o',
    (options) => {
      expect(() => refuseUnknownOptions('createAuth', options, KNOWN)).not.toThrow();
    },
  );

  it('names the function, the first option that it does not have, and those that it has', () => {
    const misspelt = { clock: 1, klock: 1, loger: 1 };
    expect(() => refuseUnknownOptions('createAuth', misspelt, KNOWN)).toThrow(
      new TypeError('createAuth: unknown option "klock" (known: clock, logger)'),
    );
  });

  it('refuses a misspelt option whose value is undefined', () => {
    expect(() => refuseUnknownOptions('createAuth', { klock: undefined }, KNOWN)).toThrow(TypeError);
  });

  it('quotes a name that would break the line of a log', () => {
    expect(() => refuseUnknownOptions('migrateAuth', { 'a\n"b': 1 }, [])).toThrow(
      'migrateAuth: unknown option "a\\n\\"b"',
    );
  });

  inOneTest([undefined, null, 'clock', 7, [], () => {}])('refuses %o in place of an object', (options) => {
    expect(() => refuseUnknownOptions('createAuth', options as object, KNOWN)).toThrow(
      'createAuth takes an object of options, not ',
    );
  });
});

describe('serviceOption', () => {
  interface Door {
    open(): void;
    close(): void;
  }
  const DOOR: ServiceInterface<Door> = { name: 'Door', methods: { open: true, close: true } };

  it('gives back what has every method', () => {
    const door: Door = { open() {}, close() {} };
    expect(serviceOption('front', door, DOOR)).toBe(door);
  });

  inOneTest([
    [{ open() {} }, 'front lacks the method close of Door'],
    [{}, 'front lacks the methods open, close of Door'],
    [null, 'front must be an object with the methods of Door: open, close'],
  ])('refuses %j', (value, message) => {
    expect(() => serviceOption('front', value as Door, DOOR)).toThrow(new TypeError(message));
  });
});

it('an option that is no object is refused by its type alone', () => {
  expect(() => objectOption('db', 'postgres://secret@host' as unknown as object)).toThrow(
    new TypeError('db must be an object, not a value of type string'),
  );
});

import { describe, expect, it } from 'vitest';
import { refuseUnknownOptions } from '../../src/options/refuse-unknown-options.ts';

const KNOWN = new Set(['clock', 'logger']);

describe('refuseUnknownOptions', () => {
  it.each([{}, { clock: 1 }, { logger: undefined, clock: 1 }, Object.create({ klock: 1 })])(
    'accepts %o',
    (options) => {
      expect(() => refuseUnknownOptions('createAuth', options, KNOWN)).not.toThrow();
    },
  );

  it('names the function and the first option that it does not have', () => {
    const misspelt = { clock: 1, klock: 1, loger: 1 };
    expect(() => refuseUnknownOptions('createAuth', misspelt, KNOWN)).toThrow(
      new TypeError('createAuth has no option "klock"'),
    );
  });

  it('refuses a misspelt option whose value is undefined', () => {
    expect(() => refuseUnknownOptions('createAuth', { klock: undefined }, KNOWN)).toThrow(TypeError);
  });

  it('quotes a name that would break the line of a log', () => {
    expect(() => refuseUnknownOptions('migrateAuth', { 'a\n"b': 1 }, new Set())).toThrow(
      'migrateAuth has no option "a\\n\\"b"',
    );
  });

  it.each([undefined, null, 'clock', 7, () => {}])('refuses %o in place of an object', (options) => {
    expect(() => refuseUnknownOptions('createAuth', options as object, KNOWN)).toThrow(
      new TypeError('createAuth needs an options object'),
    );
  });
});

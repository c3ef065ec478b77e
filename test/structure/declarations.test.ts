import { describe, expect, it } from 'vitest';
import {
  entryDocstringsOf,
  importedBy,
  literalsOf,
  loggedMessages,
  memberDocstringOf,
  membersOf,
} from './declarations.ts';

const SOURCE = `
import type { Base } from './base.ts';
export { x } from 'elsewhere';

export const CODES = Object.freeze({
  /**
   * What it
   * is.
   */
  first: { inner: 1 },
  second: {},
});

export type Code = Other | 'a' | ('b' | 'c');

export interface Options extends Base {
  /** What is \`first\`. */
  readonly first?: { readonly inner: 'd' };
  second(third: string): void;
}

logger.warn({ code: 'e' }, isLate ? 'late' : 'early');
deps.logger.info({}, 'started');
console.log('not logged');
`;

describe('a source file', () => {
  it('has members of interfaces, and literals of unions', () => {
    expect(membersOf(SOURCE, 'Options')).toEqual(['first', 'second']);
    expect(literalsOf(SOURCE, 'Code')).toEqual(['a', 'b', 'c']);
  });

  it('has docstrings of the members of an interface', () => {
    expect(memberDocstringOf(SOURCE, 'Options', 'first')).toBe('What is `first`.');
    expect(memberDocstringOf(SOURCE, 'Options', 'second')).toBe('');
  });

  it('has docstrings of the entries of an object', () => {
    expect(entryDocstringsOf(SOURCE, 'CODES')).toEqual({ first: 'What it is.', second: '' });
  });

  it('has imports and messages for the log', () => {
    expect(importedBy(SOURCE)).toEqual(['./base.ts', 'elsewhere']);
    expect(loggedMessages(SOURCE)).toEqual(['late', 'early', 'started']);
  });

  it('fails a test that reads a declaration which is not there, or is another', () => {
    expect(() => membersOf(SOURCE, 'Gone')).toThrow('declares no Gone');
    expect(() => entryDocstringsOf(SOURCE, 'Options')).toThrow('declares no Options');
    expect(() => membersOf(SOURCE, 'Code')).toThrow('no interface');
    expect(() => memberDocstringOf(SOURCE, 'Options', 'third')).toThrow('no member third');
    expect(() => literalsOf(SOURCE, 'Options')).toThrow('no type');
  });
});

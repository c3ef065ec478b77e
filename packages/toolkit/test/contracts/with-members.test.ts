import { describe, expect, it } from 'vitest';
import { withMembers } from '../../src/contracts/with-members.ts';

class Given {
  #closed = false;
  readonly name: string = 'given';
  get isClosed(): boolean {
    return this.#closed;
  }
  close(): void {
    this.#closed = true;
  }
}

describe('withMembers', () => {
  it('replaces members, and keeps those of a class with its private ones', () => {
    const given = new Given();
    Object.freeze(given);
    const { name, close } = withMembers<Given>(given, { name: 'other' });
    close();
    expect([name, given.name, withMembers(given, {}).isClosed]).toEqual(['other', 'given', true]);
  });

  it('has no member that neither has', () => {
    expect(Reflect.get(withMembers({}, {}), 'toString')).toBeTypeOf('function');
    expect(Reflect.get(withMembers({}, {}), 'other')).toBeUndefined();
  });
});

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { printWithout } from '../src/print-without.ts';

describe('an error that is printed without members', () => {
  it('shows neither their names nor their values, and keeps them', () => {
    const error = Object.assign(new Error('refused'), { code: 'closed', reopened: 0 });
    printWithout(error, ['reopened']);
    expect(inspect(error)).toMatch(/ \{\n {2}code: 'closed'\n\}$/);
    expect(error.reopened).toBe(0);
  });
});

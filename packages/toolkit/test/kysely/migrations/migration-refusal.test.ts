import { describe, expect, it } from 'vitest';
import {
  earlierState,
  foreignMigration,
  lacksPrivilegesText,
  nameTakenText,
} from '../../../src/kysely/migrations/migration-refusal.ts';

const NAMES = {
  packageName: '@acme/cats',
  migrate: 'migrateCats',
  stores: 'catStore',
  number: /^cats_\d{4}_/,
};
const OURS = ['cats_0001_cats_v2', 'cats_0002_toys'];

describe('an earlier state', () => {
  it.each([
    { applied: ['cats_0002_toys', 'cats_0001_cats'], found: 'cats_0001_cats' },
    { applied: ['cats_0002_balls', 'cats_0001_cats'], found: 'cats_0001_cats' },
    { applied: OURS, found: undefined },
    { applied: [], found: undefined },
    // Of a later version, and of another package.
    { applied: [...OURS, 'cats_0003_naps', 'dogs_0001_dogs'], found: undefined },
  ])('of $applied is $found', ({ applied, found }) => {
    expect(earlierState(NAMES, new Set(applied), OURS)).toBe(found);
  });
});

it('tells the record of another program by a migration that is none of the package', () => {
  expect(foreignMigration(NAMES, [...OURS, 'cats_0009_later'])).toBeUndefined();
  expect(foreignMigration(NAMES, ['2026-01-01-first', ...OURS])).toBe('2026-01-01-first');
});

describe('a refusal', () => {
  it('names the option for a name that is taken, and what has it', () => {
    const text = nameTakenText(NAMES, new Error('table "cats" exists'));
    expect(text).toContain('a name that @acme/cats uses, and did not create it (table "cats" exists)');
    expect(text).toContain('give migrateCats and catStore the option tablePrefix');
  });

  it('names the privileges that a role lacks', () => {
    const text = lacksPrivilegesText(NAMES, 'postgres', new Error('permission denied for schema app'));
    expect(text).toContain('(permission denied for schema app): run migrateCats with a role that has USAGE');
  });
});

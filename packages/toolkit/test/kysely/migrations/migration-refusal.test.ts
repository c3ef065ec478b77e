import { describe, expect, it } from 'vitest';
import { migrationRefusals } from '../../../src/kysely/migrations/migration-refusal.ts';
import { recordStatements } from '../../../src/kysely/printed-sql/statement-recorder.ts';
import { createTableNaming } from '../../../src/kysely/table-names/table-naming.ts';

const OURS = ['cats_0001_cats_v2', 'cats_0002_toys'];
const REFUSALS = migrationRefusals(
  {
    packageName: '@acme/cats',
    migrate: 'migrateCats',
    stores: 'catStore',
    number: /^cats_\d{4}_/,
    migrations: OURS,
    tables: ['toys', 'cats'],
    record: 'cat_migrations',
  },
  (text, cause) => new Error(text, { cause }),
);
const { db: DB } = recordStatements('sqlite');
const NAMING = createTableNaming({ tables: [], others: [] }, DB, { tablePrefix: 'acme_' }, 'sqlite');

describe('the record of migrations', () => {
  it.each([
    { applied: ['cats_0002_toys', 'cats_0001_cats'], found: 'cats_0001_cats' },
    { applied: ['cats_0002_balls', 'cats_0001_cats'], found: 'cats_0001_cats' },
  ])('is refused with the earlier state $applied', ({ applied, found }) => {
    expect(() => REFUSALS.refuseRecord(applied, NAMING)).toThrow(
      `The database is of an earlier state, ${found}, which this version cannot bring up to date: ` +
        'drop the tables acme_toys, acme_cats, acme_cat_migrations, with everything in them',
    );
  });

  it('is refused with a migration of another program', () => {
    const refuse = () => REFUSALS.refuseRecord(['2026-01-01-first', ...OURS], NAMING);
    expect(refuse).toThrow("Table 'acme_cat_migrations' records 2026-01-01-first");
  });

  it.each([[OURS], [[]], [[...OURS, 'cats_0009_later']]])('is accepted with %j', (applied) => {
    expect(() => REFUSALS.refuseRecord(applied, NAMING)).not.toThrow();
  });
});

describe('an error of the database', () => {
  it('says which name is taken, and names the option', () => {
    const error = new Error('table "cats" exists');
    const { message } = REFUSALS.explained(error, 'sqlite', () => true) as Error;
    expect(message).toContain('a name that @acme/cats uses, and did not create it (table "cats" exists)');
    expect(message).toContain('give migrateCats and catStore the option tablePrefix');
  });

  it('says which privileges the role lacks', () => {
    const error = Object.assign(new Error('permission denied for schema app'), { code: '42501' });
    expect(String(REFUSALS.explained(error, 'postgres', () => false))).toContain(
      '(permission denied for schema app): run migrateCats with a role that has USAGE',
    );
  });

  it('is left as it is if it says nothing about migrations', () => {
    const error = new Error('disk full');
    expect(REFUSALS.explained(error, 'sqlite', () => false)).toBe(error);
  });
});

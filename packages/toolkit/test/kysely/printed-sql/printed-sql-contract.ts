import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { catalogOf } from '../../../../../test/services/catalog.ts';
import { type TestDatabase, untilFinished } from '../../../../../test/services/test-database.ts';
import type { DatabaseName } from '../../../src/database-name.ts';
import type { MigrationsSqlOptions } from '../../../src/kysely/printed-sql/print-migrations.ts';
import type { TableNameOptions } from '../../../src/kysely/table-names/table-name-options.ts';

interface Server {
  readonly name: string;
  readonly skipped: string | undefined;
  /** An empty database. */
  create(): Promise<TestDatabase>;
}

/** What a package exports to print its migrations, and how it applies them itself. */
interface PrintingPackage {
  readonly servers: readonly Server[];
  readonly listName: string;
  readonly migrations: readonly string[];
  readonly record: string;
  readonly table: string;
  migrationsSql(dialect: DatabaseName, options?: MigrationsSqlOptions): Promise<string>;
  migrationStatements(dialect: DatabaseName, options?: MigrationsSqlOptions): Promise<string[]>;
  dialectOf(db: Kysely<unknown>): DatabaseName;
  migrate(db: Kysely<unknown>, options?: TableNameOptions): Promise<readonly string[]>;
  /** Uses the tables. */
  use(db: Kysely<unknown>, options: TableNameOptions): Promise<unknown>;
  /** Milliseconds of what `applied_at` holds, or NaN. */
  timeOf(appliedAt: unknown): number;
}

const OTHER_NAMES: Readonly<Record<string, TableNameOptions>> = {
  PostgreSQL: { tablePrefix: 'other_', schema: 'The-other_one' },
};
const DIALECTS = ['sqlite', 'postgres', 'mysql'] as const;

/** The printed migrations of a package are those that it applies, on every database. */
export function printedSqlContract(printing: PrintingPackage): void {
  const { migrationsSql, migrationStatements, migrations: all, record } = printing;
  describe.each(printing.servers)('on $name', ({ name, skipped, create }) => {
    async function open(): Promise<Kysely<unknown>> {
      const database = untilFinished(await create());
      return database.open();
    }

    async function execute(db: Kysely<unknown>, text: string) {
      for (const statement of text.split(';\n')) if (statement !== '') await sql.raw(statement).execute(db);
    }

    test.skipIf(skipped)('prints what is applied, and what is then found applied', async () => {
      const [printed, migrated] = [await open(), await open()];
      for (const options of [{}, OTHER_NAMES[name] ?? { tablePrefix: 'other_' }]) {
        await execute(printed, await migrationsSql(printing.dialectOf(printed), options));
        await printing.migrate(migrated, options);
        const catalog = await catalogOf(printed, options.schema);
        expect(catalog.names).toContain(`${options.tablePrefix ?? ''}${printing.table}`);
        expect(catalog).toEqual(await catalogOf(migrated, options.schema));
        expect(await printing.migrate(printed, options)).toEqual([]);
        await printing.use(printed, options);
      }
    });

    test.skipIf(skipped)('records the migrations with the present', async () => {
      const db = await open();
      await execute(db, await migrationsSql(printing.dialectOf(db)));
      const { rows } = await sql<{ name: string; applied_at: unknown }>`
        select * from ${sql.table(record)} order by name`.execute(db);
      expect(rows.map((row) => row.name)).toEqual(all);
      for (const { applied_at } of rows) {
        expect(Math.abs(Date.now() - printing.timeOf(applied_at))).toBeLessThan(60_000);
      }
    });
  });

  test('prints each statement as one line, ready for a file, or one by one', async () => {
    for (const dialect of DIALECTS) {
      const text = await migrationsSql(dialect, { tablePrefix: 'acme_' });
      for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^(create|alter|insert) .*;$/);
      expect(text).not.toMatch(new RegExp(`\\b${record}\\b`));
      const statements = await migrationStatements(dialect, { tablePrefix: 'acme_' });
      expect(statements.map((statement) => `${statement};\n`).join('')).toBe(text);
    }
  });

  test('prints only what comes after a migration', async () => {
    const [first = '', ...others] = all;
    const text = await migrationsSql('postgres', { after: first });
    expect(text).not.toMatch(new RegExp(`create table (if not exists )?"(${printing.table}|${record})"`));
    expect([...text.matchAll(/values \('([^']+)'/g)].map(([, name]) => name)).toEqual(others);
    expect(await migrationsSql('postgres', { after: all.at(-1) })).toBe('');
  });

  test('refuses a dialect, an option and a migration that it does not know', async () => {
    const unknown = { prefix: 'a' } as never;
    await expect(migrationsSql('oracle' as never)).rejects.toThrow(
      new TypeError('dialect must be one of sqlite, postgres, mysql'),
    );
    await expect(migrationsSql('sqlite', unknown)).rejects.toThrow(/migrationsSql: unknown option "prefix"/);
    await expect(migrationStatements('sqlite', unknown)).rejects.toThrow(/migrationStatements/);
    await expect(migrationsSql('sqlite', { schema: 'a' })).rejects.toThrow(/schema is for PostgreSQL alone/);
    await expect(migrationsSql('sqlite', { after: 'x' })).rejects.toThrow(
      `after must be a name in ${printing.listName}`,
    );
  });
}

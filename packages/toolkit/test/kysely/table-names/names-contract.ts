import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { catalogOf } from '../../../../../test/services/catalog.ts';
import { createPostgresDatabase } from '../../../../../test/services/server-databases.ts';
import { type TestDatabase, untilFinished } from '../../../../../test/services/test-database.ts';
import type { TableNameOptions } from '../../../src/kysely/table-names/table-name-options.ts';

type Work<Result> = <DB>(db: Kysely<DB>, names?: TableNameOptions) => Result;

/** What a package calls its tables, and does with them. */
interface NamedTables {
  readonly servers: readonly {
    readonly name: string;
    readonly skipped: string | undefined;
    createEmpty(): Promise<TestDatabase>;
  }[];
  readonly packageName: 'auth' | 'webhooks';
  readonly defaults: { readonly tables: readonly string[]; readonly others: readonly string[] };
  readonly migrations: Readonly<Record<string, Readonly<Record<'up' | 'down', Work<Promise<void>>>>>>;
  readonly migrate: Work<Promise<readonly string[]>>;
  /** Where the migrations are recorded. */
  readonly record: string;
  /** Writes one row into a table of that name, as SQL of a host might. */
  readonly row: { readonly table: string; readonly columns: string; readonly values: string };
  /** Names that an application may have taken, one of them that of a schema. */
  readonly taken: readonly [schema: string, ...others: string[]];
  /** Each function of the package that takes an instance of Kysely. */
  readonly factories: readonly Work<unknown>[];
  /** Rejects unless what the package does works on these tables. */
  readonly works: Work<Promise<unknown>>;
}

const LONGEST = 'a_prefix_of_16ch';

/**
 * What both packages promise of the names of their tables. Answers how to open a database with
 * nothing of others in it, which is removed after its test, and the applications that share one.
 */
export function describeNames(tables: NamedTables) {
  const { migrate, migrations, record, row, defaults, works } = tables;
  const all = Object.keys(migrations);
  async function openOn({ name, createEmpty }: NamedTables['servers'][number]): Promise<TestDatabase> {
    return untilFinished(
      await (name === 'PostgreSQL' ? createPostgresDatabase(tables.packageName) : createEmpty()),
    );
  }
  const applicationsOn = (name: string): readonly TableNameOptions[] => [
    {},
    { tablePrefix: 'a_' },
    { tablePrefix: LONGEST },
    ...(name === 'PostgreSQL' ? [{ schema: tables.taken[0] }, { schema: 'App', tablePrefix: 'a_' }] : []),
  ];

  describe.each(tables.servers)('the names of tables on $name', (server) => {
    const { name, skipped } = server;
    const open = () => openOn(server);

    test.skipIf(skipped)('applications with names of their own migrate at the same time', async () => {
      const database = await open();
      const applications = applicationsOn(name);
      const applied = await Promise.all(
        applications.map(async (names) => {
          const processes = [database.open(), database.open()];
          const migrated = await Promise.all(processes.map((db) => migrate(db, names)));
          // A server has connections for some of the pools at once.
          for (const db of processes) await db.destroy();
          return migrated.flat().sort();
        }),
      );
      expect(applied).toEqual(applications.map(() => all));
      for (const names of applications) {
        const db = database.open();
        expect(await migrate(db, names)).toEqual([]);
        await works(db, names);
        await db.destroy();
      }
    });

    test.skipIf(skipped)('everything begins with the prefix, and no name is cut', async () => {
      const [byDefault, prefixed] = [(await open()).open(), (await open()).open()];
      await migrate(byDefault);
      await migrate(prefixed, { tablePrefix: LONGEST });
      const { names } = await catalogOf(byDefault);
      expect(names).toEqual(expect.arrayContaining([...defaults.tables]));
      expect((await catalogOf(prefixed)).names).toEqual(names.map((one) => LONGEST + one));
      expect(Math.max(...names.map((one) => (LONGEST + one).length))).toBeLessThanOrEqual(63);
    });

    test.skipIf(skipped)('tables whose record was emptied are taken again, with their rows', async () => {
      for (const tablePrefix of ['', 'acme_']) {
        const names = tablePrefix === '' ? {} : { tablePrefix };
        const db = (await open()).open();
        await migrate(db, names);
        const table = sql.table(tablePrefix + row.table);
        await sql`insert into ${table} (${sql.raw(row.columns)}) values (${sql.raw(row.values)})`.execute(db);
        await sql`delete from ${sql.table(tablePrefix + record)}`.execute(db);
        expect(await migrate(db, names)).toEqual(all);
        expect((await sql`select id from ${table}`.execute(db)).rows).toHaveLength(1);
        expect(await migrate(db, names)).toEqual([]);
      }
    });

    test.skipIf(skipped)('a table of the application is left alone, and the prefix makes room', async () => {
      for (const taken of tables.taken) {
        const db = (await open()).open();
        await sql`create table ${sql.table(taken)} (mine integer)`.execute(db);
        await sql`insert into ${sql.table(taken)} values (7)`.execute(db);
        for (let attempt = 0; attempt < 2; attempt += 1) {
          await expect(migrate(db)).rejects.toMatchObject({
            code: 'storage_misconfigured',
            message: expect.stringContaining('option tablePrefix'),
          });
        }
        expect(await migrate(db, { tablePrefix: 'acme_' })).toEqual(all);
        await works(db, { tablePrefix: 'acme_' });
        expect((await sql`select mine from ${sql.table(taken)}`.execute(db)).rows).toEqual([{ mine: 7 }]);
      }
    });

    test.skipIf(skipped).each([
      ['timestamp', '2026-01-01-orders'],
      ['applied_at', '2026-01-01-orders'],
      ['timestamp', undefined],
    ])(
      'migrations of the application in a table of that name, with %s, are left alone',
      async (column, entry) => {
        const db = (await open()).open();
        const table = sql.table(record);
        await sql`create table ${table} (name varchar(255) primary key, ${sql.ref(column)} varchar(255))`.execute(
          db,
        );
        if (entry !== undefined) await sql`insert into ${table} values (${entry}, '1')`.execute(db);
        const { names: before } = await catalogOf(db);
        await expect(migrate(db)).rejects.toMatchObject({ code: 'storage_misconfigured' });
        expect((await catalogOf(db)).names).toEqual(before);
      },
    );

    test.skipIf(skipped)(
      'an instance of withSchema is refused unless an option names the schema',
      async () => {
        const db = (await open()).open().withSchema('app');
        const refusal = /^db must not come from withSchema\(\).*option schema/;
        for (const create of tables.factories) {
          expect(() => create(db)).toThrow(refusal);
          expect(() => create(db, { tablePrefix: 'a_' })).toThrow(TypeError);
        }
        await expect(migrate(db)).rejects.toThrow(refusal);
        for (const { up, down } of Object.values(migrations)) {
          await expect(up(db)).rejects.toThrow(refusal);
          await expect(down(db)).rejects.toThrow(refusal);
        }
        if (name !== 'PostgreSQL') {
          for (const create of tables.factories) {
            expect(() => create(db, { schema: 'app' })).toThrow(/^schema is for PostgreSQL alone/);
          }
          await expect(migrate(db, { schema: 'app' })).rejects.toThrow(/^schema is for PostgreSQL alone/);
          return;
        }
        expect(await migrate(db, { schema: 'app' })).toEqual(all);
        await works(db, { schema: 'app' });
        expect((await catalogOf(db.withoutPlugins())).names).toEqual([]);
      },
    );
  });

  test('a new name is never an old one, so that renaming twice is renaming once', () => {
    const names = [...defaults.tables, ...defaults.others];
    for (const one of names) {
      for (const other of names) expect(one !== other && one.endsWith(other)).toBe(false);
    }
  });

  return { openOn, applicationsOn };
}

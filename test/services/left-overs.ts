import { Kysely, sql } from 'kysely';
import { serverDialectAt } from './server-databases.ts';
import { MYSQL_URL, newRun, POSTGRES_URL, startOfRun } from './servers.ts';

/** Longer than any run takes. */
const OLD_SECONDS = 6 * 3_600;

/**
 * Before a run, drops the schemas and databases that killed runs have left on the servers; after it,
 * those of its own: the ones that its processes have used again and again, too.
 */
export default async function dropLeftOvers(): Promise<(() => Promise<void>) | undefined> {
  // Each project of the workspace calls this: the first one is enough.
  if (process.env.TEST_RUN !== undefined) return undefined;
  const run = newRun();
  process.env.TEST_RUN = run;
  const now = Date.now() / 1_000;
  await drop((name) => (startOfRun(name) ?? now) < now - OLD_SECONDS);
  return () => drop((name) => name.includes(`_test_${run}_`));
}

async function drop(isLeft: (name: string) => boolean): Promise<void> {
  await dropAt(POSTGRES_URL, isLeft, {
    schema: 'select nspname as name from pg_namespace',
    database: 'select datname as name from pg_database',
  });
  await dropAt(MYSQL_URL, isLeft, {
    database: 'select schema_name as name from information_schema.schemata',
  });
}

async function dropAt(url: string, isLeft: (name: string) => boolean, lists: Record<string, string>) {
  const db = new Kysely<unknown>({ dialect: serverDialectAt(url)({ maxConnections: 1 }) });
  try {
    for (const [kind, list] of Object.entries(lists)) {
      const { rows } = await sql.raw<{ name: string }>(list).execute(db);
      for (const { name } of rows.filter((row) => isLeft(row.name))) {
        const end = kind === 'schema' ? ' cascade' : '';
        await sql`drop ${sql.raw(kind)} if exists ${sql.id(name)}${sql.raw(end)}`.execute(db);
      }
    }
  } catch {
    // The server is not there, or somebody still uses one: the next run drops it.
  } finally {
    await db.destroy();
  }
}

import { createRequire } from 'node:module';
import type PgBoss from 'pg-boss';

/**
 * Another release that the adapter supports may stand in the place of the locked one, which the
 * types are those of.
 */
const { version }: { version: string } = createRequire(import.meta.url)('pg-boss/package.json');
const [major = 0, minor = 0] = version.split('.').map(Number);

/** A table of its own keeps jobs that are over; from 11 on they stay among the others. */
export const hasArchive = major < 11;

/** A fetch rejects when PostgreSQL is away; before 12.26 it takes that for an empty queue. */
export const rejectsFailedFetch = major > 12 || (major === 12 && minor >= 26);

/** Up to 11 the class is the module, from 12 on it has a name. */
const exported: { readonly default?: typeof PgBoss; readonly PgBoss?: typeof PgBoss } = await import(
  'pg-boss'
);
const found = exported.PgBoss ?? exported.default;
if (found === undefined) throw new Error(`pg-boss ${version} exports no class that is known here`);

export const InstalledPgBoss: typeof PgBoss = found;

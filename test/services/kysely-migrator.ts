import type { Migrator } from 'kysely';

/**
 * Where Kysely has its migrator from 0.29 on; until 0.28 it is at the root. Not a literal: one of
 * the two is no module.
 */
const ENTRY: string = 'kysely/migration';

/** Kysely's own migrator, whichever version is installed. */
export async function loadMigrator(): Promise<typeof Migrator> {
  const kysely = await import(/* @vite-ignore */ ENTRY).catch(() => import('kysely'));
  return kysely.Migrator;
}

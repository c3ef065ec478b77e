import { type Kysely, sql } from 'kysely';

/**
 * The collation of MySQL or MariaDB that compares bytes, trailing space included: `utf8mb4_bin`
 * would ignore that. The two databases name it differently.
 *
 * @throws Error when the database has none
 */
export async function byteCollation<DB>(db: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select collation_name as name from information_schema.collations
    where collation_name in ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')
    order by collation_name desc`.execute(db);
  const [first] = rows;
  if (first !== undefined) return first.name;
  throw new Error('The database has no binary collation of utf8mb4: MySQL 8.0.17 or MariaDB 10.6 is needed');
}

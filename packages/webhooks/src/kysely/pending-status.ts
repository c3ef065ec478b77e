import { sql } from 'kysely';

/**
 * Written into statements as a literal: a plan made before parameters are known can use an index on
 * pending rows only.
 */
export const PENDING = sql.lit('pending' as const);

import { sql } from 'kysely';

/**
 * Written into statements as literals: a plan made before parameters are known can use an index on
 * these rows only.
 */
export const PENDING = sql.lit('pending' as const);
export const FAILED = sql.lit('failed' as const);

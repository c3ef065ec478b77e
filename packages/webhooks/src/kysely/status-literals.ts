import { sql } from 'kysely';

/**
 * Written into statements as literals: a plan made before parameters are known can use an index on
 * these rows only.
 */
export const PENDING = sql.lit('pending' as const);
export const FAILED = sql.lit('failed' as const);

/**
 * True of every delivery, and what the index by webhook has as its condition. Only statements about
 * single webhooks say it: with old statistics PostgreSQL would read the whole queue through that
 * index and sort it.
 */
export const OF_A_WEBHOOK = sql<boolean>`webhook_id > 0`;

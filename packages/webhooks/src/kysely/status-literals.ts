import { sql } from 'kysely';

/**
 * Written into statements as literals: a plan made before parameters are known can use an index on
 * these rows only.
 */
export const PENDING = sql.lit('pending' as const);
export const FAILED = sql.lit('failed' as const);

/**
 * True of every delivery, and the conditions of two indexes of pending ones: by webhook, and of the
 * whole queue. Only the statements that one is made for say its condition. Whatever the statistics
 * are, PostgreSQL then reads neither the whole queue for one webhook (1.2 s instead of 1 ms beside
 * a backlog of 100,000) nor the queue webhook by webhook, to sort it. No ranges: for `id > 0` its
 * planner looks up the lowest entry, where a purge leaves dead ones, at each claim (29 to 42 ms
 * instead of 1, until a vacuum).
 */
export const OF_A_WEBHOOK = sql<boolean>`webhook_id <> 0`;
export const OF_THE_QUEUE = sql<boolean>`id <> 0`;

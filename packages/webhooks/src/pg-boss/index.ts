export type { PgBossInstance } from './pg-boss-instance.ts';
export { type PgBossQueueOptions, pgBossQueue } from './pg-boss-queue.ts';

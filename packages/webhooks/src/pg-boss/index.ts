export type { PgBossInstance } from './pg-boss-instance.ts';
export type { PgBossQueueOptions } from './pg-boss-queue.ts';
export { pgBossQueue } from './pg-boss-queue.ts';

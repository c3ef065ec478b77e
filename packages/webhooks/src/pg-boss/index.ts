export type { PgBossInstance } from './pg-boss-instance.ts';
export { pgBossQueue } from './pg-boss-queue.ts';

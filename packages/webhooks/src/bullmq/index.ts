export type { BullmqQueueOptions } from './bullmq-queue.ts';
export { bullmqQueue } from './bullmq-queue.ts';

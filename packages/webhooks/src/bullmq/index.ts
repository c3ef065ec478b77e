export { bullmqQueue } from './bullmq-queue.ts';

import { close, webhooks } from './webhooks.mjs';

await webhooks.start();
console.log(`Worker ${process.pid} delivers`);
process.once('SIGTERM', () => void close());

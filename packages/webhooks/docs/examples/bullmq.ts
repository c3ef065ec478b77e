import { bullmqQueue } from '@acme/webhooks/bullmq';

{
  //#region bullmqQueue
  const queue = bullmqQueue({ connection: { host: '127.0.0.1', port: 6379 } });
  //#endregion
}

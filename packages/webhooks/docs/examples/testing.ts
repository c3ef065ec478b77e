import { createWebhooks, inProcessQueue, memoryStorage } from '@acme/webhooks';
import { createTestClock, createTestReceiver, queueContract, storageContract } from '@acme/webhooks/testing';
import { it } from 'vitest';

const close = async () => {};

{
  //#region createTestClock
  const clock = createTestClock('2026-11-24T12:00:00Z');
  const webhooks = createWebhooks({ storage: memoryStorage(), clock });
  //#endregion
}

{
  //#region createTestReceiver
  const receiver = await createTestReceiver();
  receiver.respond(503).times(2);
  const [request] = await receiver.received(1);
  await receiver.close();
  //#endregion
}

{
  //#region queueContract
  for (const { name, run } of queueContract(async () => ({ queue: inProcessQueue(), close }))) it(name, run);
  //#endregion
}

{
  //#region storageContract
  for (const { name, run } of storageContract(async () => ({ storage: memoryStorage(), close })))
    it(name, run);
  //#endregion
}

import {
  allocateSlots,
  assertPublicUrl,
  changedState,
  createWebhooks,
  defineEvents,
  eventSchemas,
  hasNothingInFlight,
  inProcessQueue,
  isSaturated,
  isTestDelivery,
  isWebhookError,
  lastServed,
  matchesPattern,
  memoryStorage,
  type SlotLimits,
  type WaitingWebhook,
  type WebhookState,
  withClaimed,
} from '@acme/webhooks';

declare const waiting: readonly WaitingWebhook[];
declare const limits: SlotLimits;
declare const state: WebhookState;

{
  //#region assertPublicUrl
  const url = await assertPublicUrl('https://example.com/hooks', { requireHttps: true });
  //#endregion
}

{
  //#region isWebhookError
  const webhooks = createWebhooks({ storage: memoryStorage() });
  try {
    await webhooks.get(7);
  } catch (error) {
    if (!isWebhookError(error, 'webhook_not_found')) throw error;
  }
  //#endregion
}

{
  //#region defineEvents
  const events = defineEvents({ 'order.created': { label: 'Order placed' } });
  //#endregion
}

{
  //#region eventSchemas
  const schemas = eventSchemas(defineEvents({ 'order.created': { label: 'Order placed' } }));
  //#endregion
}

{
  //#region isTestDelivery
  isTestDelivery('01a20d0e69397e7a9fe7721e7e57272e'); // true: the 17th digit is 9
  //#endregion
}

{
  //#region matchesPattern
  matchesPattern('order.*', 'order.created'); // true
  //#endregion
}

{
  //#region inProcessQueue
  const webhooks = createWebhooks({ storage: memoryStorage(), queue: inProcessQueue() });
  //#endregion
}

{
  //#region memoryStorage
  const webhooks = createWebhooks({ storage: memoryStorage() }); // for tests
  //#endregion
}

{
  //#region allocateSlots
  // In a storage of your own: how many deliveries each webhook gets of 10 free slots.
  const slots = allocateSlots(waiting, 10, limits);
  //#endregion
}

{
  //#region changedState
  // In a storage of your own, while the webhook's row is locked: what to write.
  const changed = changedState(state, { isActive: false, updatedAt: new Date().toISOString() });
  //#endregion
}

{
  //#region hasNothingInFlight
  if (hasNothingInFlight(7, limits)) console.log('webhook 7 has no attempt under way');
  //#endregion
}

{
  //#region isSaturated
  const candidates = waiting.filter(({ webhookId }) => !isSaturated(webhookId, limits));
  //#endregion
}

{
  //#region lastServed
  const webhookId = lastServed(waiting, allocateSlots(waiting, 10, limits), limits);
  //#endregion
}

{
  //#region withClaimed
  const after = withClaimed(limits, [7, 7, 8]); // two deliveries of webhook 7, one of 8
  //#endregion
}

{
  //#region createWebhooks
  const webhooks = createWebhooks({ storage: memoryStorage() });
  await webhooks.start();
  await webhooks.create({ url: 'https://example.com/hooks', events: ['order.*'] });
  await webhooks.dispatch('order.created', { id: 7 });
  //#endregion
}

import {
  assertPublicUrl,
  createWebhooks,
  defineEvents,
  eventSchemas,
  inProcessQueue,
  isTestDelivery,
  isWebhookError,
  matchesPattern,
  memoryStorage,
} from '@acme/webhooks';

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
  //#region createWebhooks
  const webhooks = createWebhooks({ storage: memoryStorage() });
  await webhooks.start();
  await webhooks.create({ url: 'https://example.com/hooks', events: ['order.*'] });
  await webhooks.dispatch('order.created', { id: 7 });
  //#endregion
}

import type { Webhooks } from '@acme/webhooks';

declare const webhooks: Webhooks;
declare const id: number;
declare const deliveryId: string;

{
  //#region Webhooks.events
  console.log(webhooks.events.map(({ name }) => name));
  //#endregion
}

{
  //#region Webhooks.eventSchemas
  const schemas = webhooks.eventSchemas();
  //#endregion
}

{
  //#region Webhooks.dispatch
  void webhooks.dispatch('order.created', { id: 7 }); // failures go to onError
  await webhooks.dispatch('order.created', { id: 7 }, { idempotencyKey: 'order-7' });
  //#endregion
}

{
  //#region Webhooks.purgeDeliveries
  console.log(await webhooks.purgeDeliveries());
  //#endregion
}

{
  //#region Webhooks.stats
  console.log(webhooks.stats());
  //#endregion
}

{
  //#region Webhooks.create
  const { secret } = await webhooks.create({ url: 'https://example.com/hooks', events: ['order.*'] });
  //#endregion
}

{
  //#region Webhooks.update
  const { updatedAt } = await webhooks.get(id);
  await webhooks.update(id, { isActive: false }, { expectedUpdatedAt: updatedAt });
  //#endregion
}

{
  //#region Webhooks.delete
  await webhooks.delete(id);
  //#endregion
}

{
  //#region Webhooks.rotateSecret
  const { secret } = await webhooks.rotateSecret(id); // the old one signs for another 24 h
  //#endregion
}

{
  //#region Webhooks.endPreviousSecret
  await webhooks.endPreviousSecret(id); // at once, after a leak
  //#endregion
}

{
  //#region Webhooks.activity
  const activity = await webhooks.activity(id, { interval: 'day' });
  //#endregion
}

{
  //#region Webhooks.activityOfAll
  const activity = await webhooks.activityOfAll({ interval: 'day' });
  //#endregion
}

{
  //#region Webhooks.deliveries
  const { deliveries, nextCursor } = await webhooks.deliveries(id, { status: 'failed', limit: 20 });
  //#endregion
}

{
  //#region Webhooks.searchDeliveries
  const { deliveries } = await webhooks.searchDeliveries({ event: 'order.created', statusCode: 500 });
  //#endregion
}

{
  //#region Webhooks.delivery
  const delivery = await webhooks.delivery(id, deliveryId);
  //#endregion
}

{
  //#region Webhooks.get
  const { url, stats } = await webhooks.get(id);
  //#endregion
}

{
  //#region Webhooks.list
  const { webhooks: failing, total } = await webhooks.list({ health: 'down', limit: 20 });
  //#endregion
}

{
  //#region Webhooks.changes
  const { version } = await webhooks.changes(); // another text if something changed
  //#endregion
}

{
  //#region Webhooks.test
  await webhooks.test(id); // sends webhook.test to this webhook
  //#endregion
}

{
  //#region Webhooks.redeliver
  await webhooks.redeliver(id, deliveryId);
  //#endregion
}

{
  //#region Webhooks.recover
  const since = new Date(Date.now() - 24 * 3_600_000);
  const { deliveries } = await webhooks.recover({ since, webhookId: id, dryRun: true });
  //#endregion
}

{
  //#region Webhooks.explain
  const { webhooks: explained } = await webhooks.explain('order.created');
  //#endregion
}

{
  //#region Webhooks.overview
  const { problems } = await webhooks.overview();
  for (const { url, error, failed, since } of problems) console.warn(url, error, failed, since);
  //#endregion
}

{
  //#region Webhooks.describeEvent
  const { example, subscribers } = await webhooks.describeEvent('order.created');
  //#endregion
}

{
  //#region Webhooks.start
  await webhooks.start(); // in a process that delivers
  //#endregion
}

{
  //#region Webhooks.close
  process.once('SIGTERM', () => void webhooks.close());
  //#endregion
}

{
  //#region Webhooks.drain
  await webhooks.drain({ timeoutMs: 5_000 }); // in a test, before it looks at what arrived
  //#endregion
}

{
  //#region Webhooks.health
  const health = await webhooks.health();
  //#endregion
}

{
  //#region Webhooks.forTenant
  const customer = webhooks.forTenant('acme');
  await customer.create({ url: 'https://acme.example/hooks', events: ['order.*'] });
  console.log((await customer.list()).total);
  //#endregion
}

{
  //#region Webhooks.asOneCall
  const selection = webhooks.forTenant('acme').asOneCall();
  for (const one of [deliveryId]) await selection.redeliver(id, one);
  //#endregion
}

{
  //#region Webhooks.listTenants
  for (const { tenant, active } of (await webhooks.listTenants({ limit: 100 })).tenants)
    console.log(tenant, active);
  //#endregion
}

{
  //#region Webhooks.removeTenant
  while (!(await webhooks.removeTenant('acme')).done);
  //#endregion
}

{
  //#region Webhooks.listFailing
  for (const { url, since, waiting } of await webhooks.listFailing()) console.log(url, since, waiting);
  //#endregion
}

import { createWebhooks, defineEvents, inProcessQueue, memoryStorage } from '@acme/webhooks';

const storage = memoryStorage();

{
  //#region WebhooksOptions.storage
  const webhooks = createWebhooks({ storage: memoryStorage() });
  //#endregion
}

{
  //#region WebhooksOptions.queue
  const webhooks = createWebhooks({ storage, queue: inProcessQueue() });
  //#endregion
}

{
  //#region WebhooksOptions.events
  const events = defineEvents({ 'order.created': { label: 'Order placed' } });
  const webhooks = createWebhooks({ storage, events });
  //#endregion
}

{
  //#region WebhooksOptions.builtInEvents
  const webhooks = createWebhooks({ storage, builtInEvents: false });
  //#endregion
}

{
  //#region WebhooksOptions.retry
  const webhooks = createWebhooks({ storage, retry: { maxAttempts: 6, delaysMs: [10_000, 60_000] } });
  //#endregion
}

{
  //#region WebhooksOptions.egress
  const webhooks = createWebhooks({ storage, egress: { requireHttps: true, timeoutMs: 5_000 } });
  //#endregion
}

{
  //#region WebhooksOptions.concurrency
  const webhooks = createWebhooks({ storage, concurrency: 100 });
  //#endregion
}

{
  //#region WebhooksOptions.maxConcurrentPerWebhook
  const webhooks = createWebhooks({ storage, maxConcurrentPerWebhook: 4 });
  //#endregion
}

{
  //#region WebhooksOptions.disableOnGone
  const webhooks = createWebhooks({ storage, disableOnGone: true });
  //#endregion
}

{
  //#region WebhooksOptions.recoverAfterOutage
  const webhooks = createWebhooks({ storage, recoverAfterOutage: true });
  //#endregion
}

{
  //#region WebhooksOptions.disableAfterFailingMs
  const webhooks = createWebhooks({ storage, disableAfterFailingMs: 5 * 86_400_000 });
  //#endregion
}

{
  //#region WebhooksOptions.standardHeaders
  const webhooks = createWebhooks({ storage, standardHeaders: false });
  //#endregion
}

{
  //#region WebhooksOptions.sweepIntervalMs
  const webhooks = createWebhooks({ storage, sweepIntervalMs: 1_000 });
  //#endregion
}

{
  //#region WebhooksOptions.retentionDays
  const webhooks = createWebhooks({ storage, retentionDays: 90 });
  //#endregion
}

{
  //#region WebhooksOptions.pendingDays
  const webhooks = createWebhooks({ storage, pendingDays: 14 });
  //#endregion
}

{
  //#region WebhooksOptions.schedulePurge
  const webhooks = createWebhooks({ storage, schedulePurge: false });
  await webhooks.purgeDeliveries(); // in your own scheduler
  //#endregion
}

{
  //#region WebhooksOptions.traceparent
  const webhooks = createWebhooks({
    storage,
    traceparent: ({ deliveryId }) => `00-${deliveryId}-00f067aa0ba902b7-01`,
  });
  //#endregion
}

{
  //#region WebhooksOptions.clock
  const webhooks = createWebhooks({ storage, clock: () => Date.now() });
  //#endregion
}

{
  //#region WebhooksOptions.logger
  const webhooks = createWebhooks({ storage, logger: console });
  //#endregion
}

{
  //#region WebhooksOptions.onError
  const webhooks = createWebhooks({
    storage,
    onError: (error, { source }) => console.error(source, error.code),
  });
  //#endregion
}

{
  //#region WebhooksOptions.onDeliveryFailed
  const webhooks = createWebhooks({
    storage,
    onDeliveryFailed: ({ webhookId, event, error }) => console.warn(webhookId, event, error),
  });
  //#endregion
}

{
  //#region WebhooksOptions.onAttempt
  const webhooks = createWebhooks({ storage, onAttempt: ({ durationMs }) => console.log(durationMs) });
  //#endregion
}

{
  //#region WebhooksOptions.onWebhookDisabled
  const webhooks = createWebhooks({
    storage,
    onWebhookDisabled: ({ webhookId, reason }) => console.warn(webhookId, reason),
  });
  //#endregion
}

{
  //#region WebhooksOptions.tenants
  const webhooks = createWebhooks({ storage, tenants: 'required' });
  //#endregion
}

{
  //#region WebhooksOptions.maxWebhooksPerTenant
  const webhooks = createWebhooks({ storage, maxWebhooksPerTenant: 50 });
  //#endregion
}

{
  //#region WebhooksOptions.maxTenantPatternsPerWebhook
  const webhooks = createWebhooks({
    storage,
    maxTenantPatternsPerWebhook: (tenant) => (tenant === 'acme' ? 100 : 10),
  });
  //#endregion
}

{
  //#region WebhooksOptions.maxTenantCallsPerMinute
  const webhooks = createWebhooks({ storage, maxTenantCallsPerMinute: 60 });
  //#endregion
}

{
  //#region WebhooksOptions.onWebhookFailing
  const webhooks = createWebhooks({
    storage,
    onWebhookFailing: ({ url, state, since }) => console.log(`${url} is ${state}, since ${since}`),
  });
  //#endregion
}

{
  //#region WebhooksOptions.maxPendingPerTenant
  const webhooks = createWebhooks({ storage, maxPendingPerTenant: 1_000 });
  //#endregion
}

{
  //#region WebhooksOptions.onBacklog
  const webhooks = createWebhooks({
    storage,
    onBacklog: ({ tenant = 'the application', pending }) => console.warn(`${tenant}: ${pending} wait`),
  });
  //#endregion
}

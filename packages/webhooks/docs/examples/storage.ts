import {
  changedState,
  deliveryIdOf,
  levelOf,
  pauseAfterResult,
  runAfter,
  shownRun,
  TENANT_CLOSED_MS,
  tenantRemoved,
  tooManyWebhooks,
  type WebhookState,
} from '@acme/webhooks/storage';

declare const state: WebhookState;
declare const run: Parameters<typeof shownRun>[0];
declare const lastSuccessAt: string;
declare const count: number;
declare const closedAtMs: number;

{
  //#region changedState
  // In a storage of your own, while the webhook's row is locked: what to write.
  const changed = changedState(state, { isActive: false, updatedAt: new Date().toISOString() });
  //#endregion
}

{
  //#region deliveryIdOf
  // In a dispatch, for each webhook that it goes to: the same at every try.
  const deliveryId = deliveryIdOf('01a20d0e69397e7a8fe7721e7e57272e0b1c2d3e', 7);
  //#endregion
}

{
  //#region runAfter
  // In the transaction that recorded results: what to keep of a webhook's failures.
  const happened = { failedWith: 'http_500' };
  const kept = runAfter(run, [{ activation: 0, at: new Date().toISOString(), happened }], lastSuccessAt);
  //#endregion
}

{
  //#region pauseAfterResult
  // In the transaction that recorded a result: what to keep of the webhook's pause.
  const result = { activation: 0, status: 'pending', deferral: { webhookId: 7, pauseMs: 30_000 } } as const;
  const pause = pauseAfterResult(undefined, result, Date.now());
  //#endregion
}

{
  //#region shownRun
  // In an overview: the run that goes on, or is being recovered from.
  const shown = shownRun(run, state.activation, lastSuccessAt);
  //#endregion
}

{
  //#region levelOf
  const present = shownRun(run, state.activation, lastSuccessAt);
  const level = levelOf({ success: 97, failed: 3 }, present, Date.now());
  //#endregion
}

{
  //#region tooManyWebhooks
  // While the tenant's webhooks are locked.
  if (count >= 20) throw tooManyWebhooks(20);
  //#endregion
}

{
  //#region tenantRemoved
  // While the tenant's webhooks are locked: a removal has closed it.
  if (Date.now() - closedAtMs < TENANT_CLOSED_MS) throw tenantRemoved();
  //#endregion
}

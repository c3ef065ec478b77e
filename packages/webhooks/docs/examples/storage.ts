import {
  changedState,
  failureRunAfter,
  isOngoing,
  levelOf,
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
  //#region failureRunAfter
  // In the transaction that recorded a failure: what to keep of the webhook's failures.
  const failure = { activation: 0, error: 'http_500', completedAt: new Date().toISOString() };
  const kept = failureRunAfter(run, [failure], lastSuccessAt);
  //#endregion
}

{
  //#region isOngoing
  // Whether the failures go on: no success came after they began.
  const isFailing = isOngoing(run, state.activation, lastSuccessAt);
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
  const level = levelOf({ success: 97, failed: 3 }, shownRun(run, state.activation, lastSuccessAt));
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

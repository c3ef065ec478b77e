import {
  allocateSlots,
  changedState,
  hasNothingInFlight,
  isSaturated,
  lastServed,
  type SlotLimits,
  type WaitingWebhook,
  type WebhookState,
  withClaimed,
} from '@acme/webhooks/storage';

declare const waiting: readonly WaitingWebhook[];
declare const limits: SlotLimits;
declare const state: WebhookState;

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

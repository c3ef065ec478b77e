import { changedState, type WebhookState } from '@acme/webhooks/storage';

declare const state: WebhookState;

{
  //#region changedState
  // In a storage of your own, while the webhook's row is locked: what to write.
  const changed = changedState(state, { isActive: false, updatedAt: new Date().toISOString() });
  //#endregion
}

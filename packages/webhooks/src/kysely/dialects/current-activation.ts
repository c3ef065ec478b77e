import { sql } from 'kysely';

/** Of the webhook whose delivery is being written: by it failures before its last activation are told from later ones. */
export const CURRENT_ACTIVATION = sql<number>`(
  select activations from webhooks where webhooks.id = webhook_deliveries.webhook_id)`;

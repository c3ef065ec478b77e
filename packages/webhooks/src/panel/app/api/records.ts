import type { components } from './api-document.ts';

/** The records of the admin API by the names that the pages use. */

type Schemas = components['schemas'];

export type Activity = Schemas['Activity'];
export type ActivityPoint = Schemas['ActivityPoint'];
export type Attempt = Schemas['Attempt'];
export type Delivery = Schemas['Delivery'];
export type DeliveryCounts = Schemas['DeliveryCounts'];
export type DeliveryStatus = Schemas['DeliveryStatus'];
export type DeliverySummary = Schemas['DeliverySummary'];
export type EventDescription = Schemas['EventDescription'];
export type EventSubscriber = EventDescription['subscribers'][number];
export type ExplainedWebhook = Schemas['ExplainedWebhook'];
export type Explanation = Schemas['Explanation'];
export type FoundDelivery = Schemas['DeliverySearch']['deliveries'][number];
export type KnownEvent = Schemas['KnownEvent'];
export type ListedWebhook = Schemas['ListedWebhook'];
export type LastDelivery = NonNullable<ListedWebhook['last_delivery']>;
export type Recovery = Schemas['Recovery'];
/** Which failed deliveries to send again. */
export type RecoveryRange = Omit<Schemas['Recover'], 'dry_run' | 'cursor'>;
export type TestEvent = NonNullable<Schemas['TestEvent']>;
export type Webhook = Schemas['Webhook'];
export type WebhookDetail = Schemas['WebhookDetail'];
export type WebhookHealth = Schemas['WebhookHealth'];
export type WebhookPage = Schemas['WebhookPage'];

/** The fields of a webhook that its form sends. */
export type WebhookInput = Pick<Webhook, 'url' | 'description' | 'events'>;

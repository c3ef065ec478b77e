import type { z } from 'zod';
import type * as schemas from './answer-schemas.ts';
import type * as deliveries from './delivery-answers.ts';
import type * as webhooks from './webhook-answers.ts';

/** The JSON that a schema of an answer describes. Nothing of it is changed once it is made. */
export type AnswerOf<Schema extends z.ZodType> = Frozen<z.input<Schema>>;

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

export type Webhook = AnswerOf<typeof webhooks.webhook>;
export type WebhookWithSecret = AnswerOf<typeof webhooks.webhookWithSecret>;
export type RotatedWebhook = AnswerOf<typeof webhooks.rotatedWebhook>;
export type WebhookDetail = AnswerOf<typeof webhooks.webhookDetail>;
export type DeliveryCounts = WebhookDetail['stats'];
export type WebhookHealth = WebhookDetail['health'];
export type Changes = AnswerOf<typeof webhooks.changes>;
export type WebhookPage = AnswerOf<typeof webhooks.webhookPage>;
export type ListedWebhook = WebhookPage['webhooks'][number];
export type LastDelivery = NonNullable<ListedWebhook['last_delivery']>;

export type DeliveryPage = AnswerOf<typeof deliveries.deliveryPage>;
export type DeliverySearch = AnswerOf<typeof deliveries.deliverySearch>;
export type DeliverySummary = DeliveryPage['deliveries'][number];
export type DeliveryStatus = DeliverySummary['status'];
export type Delivery = AnswerOf<typeof deliveries.delivery>;
export type Attempt = Delivery['attempt_log'][number];
export type DeliveryReceipt = AnswerOf<typeof deliveries.receipt>;
export type Recovery = AnswerOf<typeof deliveries.recovery>;
export type Activity = AnswerOf<typeof deliveries.activity>;
export type ActivityPoint = Activity['activity'][number];

export type KnownEvents = AnswerOf<typeof schemas.knownEvents>;
export type KnownEvent = KnownEvents['events'][number];
export type Explanation = AnswerOf<typeof schemas.explanation>;
export type ExplainedWebhook = Explanation['webhooks'][number];

import type { Webhook } from '../../../admin/answer-types.ts';

/** The records of the admin API, as types only: the pages contain no server code. */
export type {
  Activity,
  ActivityPoint,
  Attempt,
  Changes,
  Delivery,
  DeliveryCounts,
  DeliveryPage,
  DeliveryReceipt,
  DeliveryStatus,
  DeliverySummary,
  ExplainedWebhook,
  Explanation,
  KnownEvent,
  KnownEvents,
  LastDelivery,
  ListedWebhook,
  Recovery,
  RotatedWebhook,
  Webhook,
  WebhookDetail,
  WebhookHealth,
  WebhookPage,
  WebhookWithSecret,
} from '../../../admin/answer-types.ts';

/** The fields of a webhook that its form sends. */
export type WebhookInput = Pick<Webhook, 'url' | 'description' | 'events'>;

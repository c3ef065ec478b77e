import type { ApiAnswer, ApiRequest } from './api-operation.ts';

/** The records of the API, the admin's or the portal's, by the names that the pages use. */

export type Activity = ApiAnswer<'GET', '/{id}/activity'>;
export type ActivityPoint = Activity['activity'][number];
export type Delivery = ApiAnswer<'GET', '/{id}/deliveries/{delivery_id}'>;
export type Attempt = Delivery['attempt_log'][number];
export type DeliverySummary = ApiAnswer<'GET', '/{id}/deliveries'>['deliveries'][number];
export type DeliveryStatus = DeliverySummary['status'];
export type EventDescription = ApiAnswer<'GET', '/events/{name}'>;
export type Explanation = ApiAnswer<'GET', '/explain'>;
export type ExplainedWebhook = Explanation['webhooks'][number];
export type FoundDelivery = ApiAnswer<'GET', '/deliveries'>['deliveries'][number];
export type KnownEvent = ApiAnswer<'GET', '/events'>['events'][number];
export type WebhookPage = ApiAnswer<'GET', ''>;
export type ListedWebhook = Told<WebhookPage['webhooks'][number]>;
export type LastDelivery = NonNullable<ListedWebhook['last_delivery']>;
export type Overview = ApiAnswer<'GET', '/overview'>;
export type DeliveryProblem = Overview['problems'][number];
/** Which failed deliveries to send again. */
export type RecoveryRange = Omit<ApiRequest<'POST', '/{id}/recover'>['body'], 'dry_run' | 'cursor'>;
export type TestEvent = NonNullable<ApiRequest<'POST', '/{id}/test'>['body']>;
export type WebhookDetail = Told<ApiAnswer<'GET', '/{id}'>>;
export type WebhookHealth = WebhookDetail['health'];
export type Webhook = Told<ApiAnswer<'PUT', '/{id}'>>;

/** The fields of a webhook that its form sends. */
export type WebhookInput = Pick<Webhook, Exclude<keyof ApiRequest<'PUT', '/{id}'>['body'], 'is_active'>>;

/** What administrators alone are told: a customer's answers are without it. */
type AdministratorsField = 'created_by' | 'created_by_uid' | 'created_by_name' | 'concurrency';

type Told<Answer> = Omit<Answer, AdministratorsField> &
  Partial<Pick<Answer, AdministratorsField & keyof Answer>>;

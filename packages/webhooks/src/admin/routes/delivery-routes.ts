import { isWebhookError } from '../../errors.ts';
import { TEST_EVENT } from '../../events/catalog.ts';
import { noBody, recoverBody, testBody } from '../schemas/bodies.ts';
import {
  activity,
  activityOfAll,
  delivery,
  deliveryPage,
  deliverySearch,
  receipt,
  recovery,
} from '../schemas/delivery-answers.ts';
import { deliveryParams, noParams, webhookParams } from '../schemas/paths.ts';
import {
  activityOfAllQuery,
  activityQuery,
  deliveriesQuery,
  noQuery,
  searchQuery,
} from '../schemas/queries.ts';
import {
  activityJson,
  activityOfAllJson,
  deliveryJson,
  deliveryPageJson,
  deliverySearchJson,
  receiptJson,
  recoverInputOf,
  recoveryJson,
  searchInputOf,
} from '../wire.ts';
import { defineRoute } from './route.ts';

/** The operations on deliveries. */
export const DELIVERY_ROUTES = [
  defineRoute({
    name: 'searchDeliveries',
    method: 'GET',
    path: '/deliveries',
    success: 200,
    summary: 'Find deliveries',
    description:
      'Deliveries of all webhooks that match every given filter, newest first by the time of creation; with `webhook_id`, or `tenant` and at most 100 webhooks, highest id first. A page reads at most 5,000 deliveries, however many there are, and `scanned_until` says where it stopped. By `delivery_id` and the times it reads what it returns, with `status=failed` failed deliveries alone, and up to 5,000 pending ones without others.',
    tag: 'Deliveries',
    params: noParams,
    query: searchQuery,
    body: noBody,
    answer: deliverySearch,
    problems: ['storage_unavailable'],
    handle: async ({ webhooks }, { query }) =>
      deliverySearchJson(await webhooks.searchDeliveries(searchInputOf(query))),
  }),
  defineRoute({
    name: 'readActivityOfAll',
    method: 'GET',
    path: '/activity',
    success: 200,
    summary: 'Deliveries of all webhooks over time',
    description:
      'The retained deliveries of all webhooks by hour or day of their creation and by status, for a chart; of pending ones, at most 100,000: the newest, or any of one customer.',
    tag: 'Deliveries',
    params: noParams,
    query: activityOfAllQuery,
    body: noBody,
    answer: activityOfAll,
    problems: ['storage_unavailable'],
    handle: async ({ webhooks }, { query }) => activityOfAllJson(await webhooks.activityOfAll(query)),
  }),
  defineRoute({
    name: 'listDeliveries',
    method: 'GET',
    path: '/{id}/deliveries',
    success: 200,
    summary: 'List deliveries',
    description:
      'One page of the history of a webhook, newest first, without payloads and attempts. New deliveries do not shift entries between pages. With a filter a page reads at most 5,000 deliveries, and `scanned_until` says where it stopped; up to 5,000 pending or failed ones are found without reading others. There is no total: `stats` of the webhook has the counts.',
    tag: 'Deliveries',
    params: webhookParams,
    query: deliveriesQuery,
    body: noBody,
    answer: deliveryPage,
    problems: ['webhook_not_found', 'storage_unavailable'],
    handle: async ({ webhooks }, { params, query }) =>
      deliveryPageJson(await webhooks.deliveries(params.id, query)),
  }),
  defineRoute({
    name: 'getDelivery',
    method: 'GET',
    path: '/{id}/deliveries/{delivery_id}',
    success: 200,
    summary: 'Get a delivery',
    description:
      'One delivery with its payload, the headers of its last request without signatures, and the log of its attempts with the result of each.',
    tag: 'Deliveries',
    params: deliveryParams,
    query: noQuery,
    body: noBody,
    answer: delivery,
    problems: ['webhook_not_found', 'delivery_not_found', 'storage_unavailable'],
    handle: async ({ webhooks }, { params }) =>
      deliveryJson(await webhooks.delivery(params.id, params.delivery_id)),
  }),
  defineRoute({
    name: 'redeliver',
    method: 'POST',
    path: '/{id}/deliveries/{delivery_id}/redeliver',
    success: 202,
    summary: 'Send a delivery again',
    description:
      'Starts a new series of attempts for a delivery that has ended, successful or not. It sends the same bytes under the same `X-Webhook-ID`; the number of attempts continues.',
    tag: 'Deliveries',
    params: deliveryParams,
    query: noQuery,
    body: noBody,
    answer: receipt,
    problems: [
      'webhook_not_found',
      'delivery_not_found',
      'webhook_inactive',
      'delivery_pending',
      'rate_limited',
      'storage_unavailable',
    ],
    handle: async ({ webhooks }, { params }) =>
      receiptJson(await webhooks.redeliver(params.id, params.delivery_id)),
    audit: ({ params }) => ({
      action: 'delivery.redelivered',
      target: { webhookId: params.id, deliveryId: params.delivery_id },
    }),
  }),
  defineRoute({
    name: 'recover',
    method: 'POST',
    path: '/{id}/recover',
    success: 200,
    summary: 'Send failed deliveries again',
    description:
      'Starts a new series of attempts for every failed delivery of the webhook created since the given time, oldest first, and before `until` and of the given events where these are given. Deliveries that failed because the webhook was inactive are included, tests are not. It begins no batch of 500 after 15 s: those that were not begun by then, or are beyond a million, are left out, and `next_cursor` goes on there. With `dry_run` it only counts them.',
    tag: 'Deliveries',
    params: webhookParams,
    query: noQuery,
    body: recoverBody,
    answer: recovery,
    problems: ['webhook_not_found', 'webhook_inactive', 'rate_limited', 'storage_unavailable'],
    handle: async ({ webhooks }, { params, body }) =>
      recoveryJson(await webhooks.recover(recoverInputOf(body, params.id))),
    audit: ({ params }, { deliveries, dry_run: isDryRun }) =>
      isDryRun || deliveries === 0
        ? undefined
        : { action: 'webhook.recovered', target: { webhookId: params.id }, deliveries },
    auditFailure: ({ params }, error) => {
      const deliveries = isWebhookError(error) ? error.reopened : 0;
      if (deliveries === 0) return undefined;
      return { action: 'webhook.recovered', target: { webhookId: params.id }, deliveries };
    },
  }),
  defineRoute({
    name: 'readActivity',
    method: 'GET',
    path: '/{id}/activity',
    success: 200,
    summary: 'Deliveries over time',
    description:
      'The retained deliveries of a webhook by hour or day of their creation and by status, for a chart; and how long its recipient takes.',
    tag: 'Deliveries',
    params: webhookParams,
    query: activityQuery,
    body: noBody,
    answer: activity,
    problems: ['webhook_not_found', 'storage_unavailable'],
    handle: async ({ webhooks }, { params, query }) =>
      activityJson(await webhooks.activity(params.id, query)),
  }),
  defineRoute({
    name: 'testWebhook',
    method: 'POST',
    path: '/{id}/test',
    success: 202,
    summary: 'Send a test event',
    description:
      'Sends one event to this webhook, regardless of its patterns: `webhook.test` unless the body names another known event. A payload must fit the schema of its event. It is a real delivery, signed and retried like any other, and marked as a test: `is_test` in the history, `X-Webhook-Test: 1` in its requests.',
    tag: 'Deliveries',
    params: webhookParams,
    query: noQuery,
    body: testBody,
    isBodyOptional: true,
    answer: receipt,
    problems: [
      'webhook_not_found',
      'webhook_inactive',
      'invalid_payload',
      'payload_too_large',
      'rate_limited',
      'storage_unavailable',
      'overloaded',
      'closed',
    ],
    handle: async ({ webhooks }, { params, body }) => receiptJson(await webhooks.test(params.id, body)),
    audit: ({ params, body }, { delivery_id: deliveryId }) => ({
      action: 'webhook.tested',
      target: { webhookId: params.id, deliveryId },
      event: body?.event ?? TEST_EVENT,
    }),
  }),
] as const;

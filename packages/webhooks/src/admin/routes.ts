import { defineRoute, type Route } from './route.ts';
import {
  createBody,
  deliveriesQuery,
  deliveryParams,
  listQuery,
  noBody,
  noParams,
  noQuery,
  updateBody,
  webhookParams,
} from './schemas.ts';
import {
  createdWebhookJson,
  createInputOf,
  deliveryJson,
  deliveryPageJson,
  eventsJson,
  testJson,
  updateInputOf,
  webhookDetailJson,
  webhookJson,
  webhookPageJson,
} from './wire.ts';

/** The admin API. An operation is a row here, its schemas and its shape on the wire; nothing else. */
export const ROUTES: readonly Route[] = [
  defineRoute({
    name: 'listWebhooks',
    method: 'GET',
    path: '',
    success: 200,
    params: noParams,
    query: listQuery,
    body: noBody,
    handle: async (webhooks, { query }) => webhookPageJson(await webhooks.list(query)),
  }),
  defineRoute({
    name: 'createWebhook',
    method: 'POST',
    path: '',
    success: 201,
    params: noParams,
    query: noQuery,
    body: createBody,
    handle: async (webhooks, { actor, body }) =>
      createdWebhookJson(await webhooks.create(createInputOf(body, actor.uid))),
  }),
  defineRoute({
    name: 'listEvents',
    method: 'GET',
    path: '/events',
    success: 200,
    params: noParams,
    query: noQuery,
    body: noBody,
    handle: async (webhooks) => eventsJson(webhooks.events),
  }),
  defineRoute({
    name: 'getWebhook',
    method: 'GET',
    path: '/{id}',
    success: 200,
    params: webhookParams,
    query: noQuery,
    body: noBody,
    handle: async (webhooks, { params }) => webhookDetailJson(await webhooks.get(params.id)),
  }),
  defineRoute({
    name: 'updateWebhook',
    method: 'PUT',
    path: '/{id}',
    success: 200,
    params: webhookParams,
    query: noQuery,
    body: updateBody,
    handle: async (webhooks, { params, body }) =>
      webhookJson(await webhooks.update(params.id, updateInputOf(body))),
  }),
  defineRoute({
    name: 'deleteWebhook',
    method: 'DELETE',
    path: '/{id}',
    success: 204,
    params: webhookParams,
    query: noQuery,
    body: noBody,
    handle: async (webhooks, { params }) => {
      await webhooks.delete(params.id);
      return undefined;
    },
  }),
  defineRoute({
    name: 'listDeliveries',
    method: 'GET',
    path: '/{id}/deliveries',
    success: 200,
    params: webhookParams,
    query: deliveriesQuery,
    body: noBody,
    handle: async (webhooks, { params, query }) =>
      deliveryPageJson(await webhooks.deliveries(params.id, query)),
  }),
  defineRoute({
    name: 'getDelivery',
    method: 'GET',
    path: '/{id}/deliveries/{delivery_id}',
    success: 200,
    params: deliveryParams,
    query: noQuery,
    body: noBody,
    handle: async (webhooks, { params }) =>
      deliveryJson(await webhooks.delivery(params.id, params.delivery_id)),
  }),
  defineRoute({
    name: 'testWebhook',
    method: 'POST',
    path: '/{id}/test',
    success: 202,
    params: webhookParams,
    query: noQuery,
    body: noBody,
    handle: async (webhooks, { params }) => testJson(await webhooks.test(params.id)),
  }),
];

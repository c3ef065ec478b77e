import { assertMatch, preconditionOf } from '../if-match.ts';
import { overviewJson } from '../overview-json.ts';
import { noAnswer } from '../schemas/answers.ts';
import { createBody, noBody, rotateBody, updateBody } from '../schemas/bodies.ts';
import { overview } from '../schemas/overview-answers.ts';
import { noParams, webhookParams } from '../schemas/paths.ts';
import { changesQuery, listQuery, noQuery, tenantsQuery } from '../schemas/queries.ts';
import {
  changes,
  rotatedWebhook,
  tenantPage,
  webhook,
  webhookDetail,
  webhookPage,
  webhookWithSecret,
} from '../schemas/webhook-answers.ts';
import {
  changesJson,
  createInputOf,
  tenantPageJson,
  updateInputOf,
  webhookDetailJson,
  webhookJson,
  webhookPageJson,
  webhookWithSecretJson,
} from '../wire.ts';
import { defineRoute } from './route.ts';

/** The operations on webhooks. */
export const WEBHOOK_ROUTES = [
  defineRoute({
    name: 'listWebhooks',
    method: 'GET',
    path: '',
    success: 200,
    summary: 'List webhooks',
    description:
      'One page of webhooks, each with its newest delivery and its health. The newest webhook comes first by default.',
    tag: 'Webhooks',
    params: noParams,
    query: listQuery,
    body: noBody,
    answer: webhookPage,
    problems: ['storage_unavailable'],
    handle: async ({ webhooks, namesOf }, { query }) => {
      const page = await webhooks.list(query);
      return webhookPageJson(page, await namesOf(page.webhooks));
    },
  }),
  defineRoute({
    name: 'listTenants',
    method: 'GET',
    path: '/tenants',
    success: 200,
    audience: 'administrators',
    summary: 'List customers',
    description:
      'One page of the customers that have webhooks, each with their number. The application itself is none of them.',
    tag: 'Webhooks',
    params: noParams,
    query: tenantsQuery,
    body: noBody,
    answer: tenantPage,
    problems: ['storage_unavailable'],
    handle: async ({ webhooks }, { query }) => tenantPageJson(await webhooks.listTenants(query)),
  }),
  defineRoute({
    name: 'readOverview',
    method: 'GET',
    path: '/overview',
    success: 200,
    summary: 'How deliveries fare',
    description:
      'The share delivered in the last 24 hours, the times of recipients, what waits, and what is wrong, grouped by webhook and cause. It reads the attempts of at most 200 deliveries, and of the webhooks that fare worst, until 20 have a problem, at most 300 deliveries each.',
    tag: 'Webhooks',
    params: noParams,
    query: noQuery,
    body: noBody,
    answer: overview,
    problems: ['storage_unavailable'],
    handle: async ({ webhooks }) => overviewJson(await webhooks.overview()),
  }),
  defineRoute({
    name: 'readChanges',
    method: 'GET',
    path: '/changes',
    success: 200,
    summary: 'Whether anything changed',
    description:
      'A version that is another text after a webhook was created, changed or deleted, and after a delivery of the given webhooks was created, ended, was sent again or purged. Attempts in between do not change it. It costs a few rows per webhook, whatever the number of deliveries: poll it, and read again what you show when it differs.',
    tag: 'Webhooks',
    params: noParams,
    query: changesQuery,
    body: noBody,
    answer: changes,
    problems: ['storage_unavailable'],
    handle: async ({ webhooks }, { query }) =>
      changesJson(await webhooks.changes({ webhookIds: query.webhooks })),
  }),
  defineRoute({
    name: 'createWebhook',
    method: 'POST',
    path: '',
    success: 201,
    summary: 'Register a webhook',
    description:
      'Registers a webhook with a generated signing secret, which only this answer shows. The webhook receives events dispatched from then on.',
    tag: 'Webhooks',
    params: noParams,
    query: noQuery,
    body: createBody,
    answer: webhookWithSecret,
    problems: ['url_not_public', 'too_many_webhooks', 'rate_limited', 'storage_unavailable'],
    handle: async ({ webhooks, namesOf }, { actor, body }) => {
      const created = await webhooks.create(createInputOf(body, actor.uid));
      return webhookWithSecretJson(created, await namesOf([created]));
    },
    location: ({ id }) => `/${id}`,
    updatedAt: ({ updated_at: updatedAt }) => updatedAt,
    audit: (_, { id }) => ({ action: 'webhook.created', target: { webhookId: id } }),
  }),
  defineRoute({
    name: 'getWebhook',
    method: 'GET',
    path: '/{id}',
    success: 200,
    summary: 'Get a webhook',
    description:
      'One webhook with the counts of its retained deliveries by status, its health, and how near it is to its deactivation. It never shows the secret.',
    tag: 'Webhooks',
    params: webhookParams,
    query: noQuery,
    body: noBody,
    answer: webhookDetail,
    isConditional: true,
    problems: ['webhook_not_found', 'storage_unavailable'],
    handle: async ({ webhooks, namesOf }, { params, ifMatch }) => {
      const detail = await webhooks.get(params.id);
      assertMatch(ifMatch, detail.updatedAt);
      return webhookDetailJson(detail, await namesOf([detail]));
    },
    updatedAt: ({ updated_at: updatedAt }) => updatedAt,
  }),
  defineRoute({
    name: 'updateWebhook',
    method: 'PUT',
    path: '/{id}',
    success: 200,
    summary: 'Change a webhook',
    description:
      'Replaces the given fields; the others stay as they are. The change applies from the next dispatch on, and to attempts that have not begun. To change the secret, rotate it.',
    tag: 'Webhooks',
    params: webhookParams,
    query: noQuery,
    body: updateBody,
    answer: webhook,
    isConditional: true,
    problems: ['webhook_not_found', 'url_not_public', 'storage_unavailable'],
    handle: async ({ webhooks, namesOf }, { params, body, ifMatch }) => {
      const precondition = await preconditionOf(webhooks, params.id, ifMatch);
      const updated = await webhooks.update(params.id, updateInputOf(body), precondition);
      return webhookJson(updated, await namesOf([updated]));
    },
    updatedAt: ({ updated_at: updatedAt }) => updatedAt,
    audit: ({ params, body }) => {
      const fields = Object.keys(body);
      if (fields.length === 0) return undefined;
      return { action: 'webhook.updated', target: { webhookId: params.id }, fields };
    },
  }),
  defineRoute({
    name: 'deleteWebhook',
    method: 'DELETE',
    path: '/{id}',
    success: 204,
    summary: 'Remove a webhook',
    description:
      'Removes the webhook with all its deliveries: nothing of it is found or sent any more. An attempt under way is not interrupted.',
    tag: 'Webhooks',
    params: webhookParams,
    query: noQuery,
    body: noBody,
    answer: noAnswer,
    isConditional: true,
    problems: ['webhook_not_found', 'storage_unavailable'],
    handle: async ({ webhooks }, { params, ifMatch }) => {
      await webhooks.delete(params.id, await preconditionOf(webhooks, params.id, ifMatch));
      return undefined;
    },
    audit: ({ params }) => ({ action: 'webhook.deleted', target: { webhookId: params.id } }),
  }),
  defineRoute({
    name: 'rotateSecret',
    method: 'POST',
    path: '/{id}/rotate-secret',
    success: 200,
    summary: 'Rotate the signing secret',
    description:
      'Replaces the signing secret; only this answer shows the new one. For 24 hours requests are also signed with the old secret (`X-Webhook-Signature-Previous`, and a second entry of `webhook-signature`), so that the recipient can change over. Rotating again within that time discards the oldest secret at once. With `end_previous` it makes no new secret, and only ends the old one.',
    tag: 'Webhooks',
    params: webhookParams,
    query: noQuery,
    body: rotateBody,
    isBodyOptional: true,
    answer: rotatedWebhook,
    isConditional: true,
    problems: ['webhook_not_found', 'no_previous_secret', 'storage_unavailable'],
    handle: async ({ webhooks, namesOf }, { params, body, ifMatch }) => {
      const precondition = await preconditionOf(webhooks, params.id, ifMatch);
      if (body?.end_previous) {
        const ended = await webhooks.endPreviousSecret(params.id, precondition);
        return webhookJson(ended, await namesOf([ended]));
      }
      const rotated = await webhooks.rotateSecret(params.id, precondition);
      return webhookWithSecretJson(rotated, await namesOf([rotated]));
    },
    updatedAt: ({ updated_at: updatedAt }) => updatedAt,
    audit: ({ params, body }) => ({
      action: body?.end_previous ? 'webhook.previous_secret_ended' : 'webhook.secret_rotated',
      target: { webhookId: params.id },
    }),
  }),
] as const;

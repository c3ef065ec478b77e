import { document, eventDescription, explanation, knownEvents } from '../schemas/answers.ts';
import { noBody } from '../schemas/bodies.ts';
import { eventParams, noParams } from '../schemas/paths.ts';
import { explainQuery, noQuery, subscribersQuery } from '../schemas/queries.ts';
import { eventDescriptionJson, eventsJson, explanationJson } from '../wire.ts';
import { defineRoute } from './route.ts';

/** The operations that list events, explain subscriptions and describe this API. */
export const DISCOVERY_ROUTES = [
  defineRoute({
    name: 'listEvents',
    method: 'GET',
    path: '/events',
    success: 200,
    summary: 'List events',
    description: 'Every event that this installation knows: the built-in ones, then the host’s own.',
    tag: 'Events',
    params: noParams,
    query: noQuery,
    body: noBody,
    answer: knownEvents,
    problems: [],
    handle: async ({ webhooks }) => eventsJson(webhooks.events),
  }),
  defineRoute({
    name: 'getEvent',
    method: 'GET',
    path: '/events/{name}',
    success: 200,
    summary: 'Describe an event',
    description:
      'One event that this installation knows: its schema, its example, and the webhooks that subscribe to it.',
    tag: 'Events',
    params: eventParams,
    query: subscribersQuery,
    body: noBody,
    answer: eventDescription,
    problems: ['event_not_found', 'storage_unavailable'],
    handle: async ({ webhooks }, { params, query }) =>
      eventDescriptionJson(await webhooks.describeEvent(params.name, query)),
  }),
  defineRoute({
    name: 'explainEvent',
    method: 'GET',
    path: '/explain',
    success: 200,
    summary: 'Who receives an event',
    description:
      'For every webhook, the oldest first: whether it would receive an event dispatched now, and why or why not. Nothing is sent.',
    tag: 'Events',
    params: noParams,
    query: explainQuery,
    body: noBody,
    answer: explanation,
    problems: ['storage_unavailable'],
    handle: async ({ webhooks }, { query: { event, ...page } }) =>
      explanationJson(await webhooks.explain(event, page)),
  }),
  defineRoute({
    name: 'getDocument',
    method: 'GET',
    path: '/openapi.json',
    success: 200,
    summary: 'This document',
    description: 'The OpenAPI 3.1 document of this API, with the events of this installation.',
    tag: 'Document',
    params: noParams,
    query: noQuery,
    body: noBody,
    answer: document,
    problems: [],
    handle: async ({ document: current }) => current(),
  }),
] as const;

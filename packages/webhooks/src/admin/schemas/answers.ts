import { z } from 'zod';
import { documented } from '../open-api/documentation.ts';
import { eventDescriptionExample, problemExample } from '../open-api/examples.ts';
import { count, id, patterns, tenant, webhookName, webhookUrl } from './answer-fields.ts';

/** The schemas of the admin API's other answers and of its problems, in wire spelling. */

export const knownEvents = documented(
  z.strictObject({
    events: z.array(
      documented(z.strictObject({ name: z.string(), label: z.string() }), {
        id: 'KnownEvent',
        description: 'An event that this installation knows.',
        examples: [{ name: 'user.created', label: 'Admin created a user' }],
      }),
    ),
  }),
  { id: 'KnownEvents', description: 'The built-in events and the host’s own.' },
);

export const eventDescription = documented(
  z.strictObject({
    name: z.string(),
    label: z.string(),
    schema: documented(z.looseObject({}), {
      description: 'The JSON Schema (draft 2020-12) of the body of its callbacks.',
    }),
    example: documented(z.looseObject({}).nullable(), {
      description: 'A payload: the example in the catalog; null if there is none.',
    }),
    subscribers: z.array(
      documented(
        z.strictObject({
          id,
          tenant,
          url: webhookUrl,
          name: webhookName,
          is_active: documented(z.boolean(), {
            description: 'An inactive webhook does not receive the event.',
          }),
          matched_patterns: documented(z.array(z.string()).min(1), {
            description: 'Those of its patterns that match the event.',
          }),
        }),
        { id: 'EventSubscriber', description: 'A webhook that subscribes to the event.' },
      ),
    ),
    total: documented(z.int().min(0), { description: 'How many webhooks subscribe to it in all.' }),
    limit: count,
    offset: count,
  }),
  {
    id: 'EventDescription',
    description: 'An event, with one page of the webhooks that subscribe to it, the oldest first.',
    examples: [eventDescriptionExample],
  },
);

const explained = documented(
  z.strictObject({
    id,
    tenant,
    url: webhookUrl,
    name: webhookName,
    is_active: z.boolean(),
    receives: documented(z.boolean(), {
      description: 'Whether an event dispatched now would be delivered to it.',
    }),
    reason: documented(z.enum(['subscribed', 'inactive', 'no_matching_pattern', 'not_for_tenants']), {
      description:
        'Why, or why not. `not_for_tenants`: the event does not go to webhooks of customers. `inactive` whatever its patterns: `matched_patterns` says what it would receive.',
    }),
    events: patterns,
    matched_patterns: documented(z.array(z.string()), {
      description: 'The patterns in `events` that match the event.',
    }),
  }),
  { id: 'ExplainedWebhook', description: 'Whether one webhook would receive an event, and why.' },
);

export const explanation = documented(
  z.strictObject({
    event: z.string(),
    known: documented(z.boolean(), { description: 'Whether the installation knows an event of this name.' }),
    webhooks: z.array(explained),
    total: documented(z.int().min(0), { description: 'How many webhooks there are in all.' }),
    limit: count,
    offset: count,
  }),
  { id: 'Explanation', description: 'The webhooks that would receive an event, and those that would not.' },
);

export const document = documented(z.looseObject({ openapi: z.string() }), {
  id: 'OpenApiDocument',
  description: 'This document.',
});

/** The problem details of every error. */
export const problem = documented(
  z.strictObject({
    type: z.literal('about:blank'),
    title: documented(z.string(), { description: 'The phrase of the status.' }),
    status: z.int().min(400).max(599),
    code: documented(z.string(), { description: 'Stable: the member for programs to branch on.' }),
    detail: documented(z.string().optional(), {
      description: 'For people; may change. With 5xx, only where a recovery failed partway.',
    }),
    reopened: documented(z.int().min(1).optional(), {
      description: 'Where a recovery failed partway: how many deliveries it had scheduled again.',
    }),
    errors: documented(
      z
        .array(
          documented(
            z.strictObject({
              field: documented(z.string(), {
                description: 'A path such as `events[2]`; empty for the body itself.',
              }),
              code: documented(z.string(), { description: 'Stable, such as `required` or `too_big`.' }),
              message: documented(z.string(), { description: 'For people; may change.' }),
              max: documented(z.number().optional(), { description: 'The bound of what is `too_big`.' }),
            }),
            { id: 'FieldError', description: 'One refused field or query parameter.' },
          ),
        )
        .min(1)
        .optional(),
      { description: 'With 422: the refused fields.' },
    ),
  }),
  { id: 'Problem', examples: [problemExample], description: 'A problem detail of RFC 9457.' },
);

/** For an operation that answers without a body. */
export const noAnswer = z.undefined();

import { z } from 'zod';
import { documented } from './open-api/documentation.ts';
import {
  activityExample,
  deliveryExample,
  deliveryPageExample,
  problemExample,
  receiptExample,
  recoveryExample,
  webhookDetailExample,
  webhookExample,
  webhookPageExample,
  webhookWithSecretExample,
} from './open-api/examples.ts';

/** The schemas of the admin API's successful answers and of its problems, in wire spelling. */

const timestamp = documented(z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/), {
  description: 'RFC 3339, UTC, milliseconds.',
  format: 'date-time',
  examples: ['2026-11-20T04:10:00.123Z'],
});
const count = z.int().min(0);
const id = z.int().min(1);
const deliveryId = documented(z.string().regex(/^[0-9a-f]{32}$/), {
  description: 'The `X-Webhook-ID` of every attempt.',
  examples: ['5f0c3a4b6d7e8f90123456789abcdef0'],
});
const status = documented(z.enum(['pending', 'success', 'failed']), {
  id: 'DeliveryStatus',
  description: '`pending` until the last attempt has ended.',
});
const patterns = documented(z.array(z.string()).min(1), {
  description: 'Event patterns.',
  examples: [['user.*', 'role.created']],
});
const secret = documented(z.string().regex(/^whsec_[A-Za-z0-9+/]{32}$/), {
  description: 'The signing secret. Store it now: it is never shown again.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
});

const webhookFields = z.strictObject({
  id,
  url: z.string(),
  description: z.string(),
  events: patterns,
  is_active: z.boolean(),
  inactive_reason: documented(z.enum(['', 'gone', 'failing']), {
    description:
      'Why the engine deactivated it: `gone`, its recipient answered 410; `failing`, too many deliveries in a row failed. Empty if it is active, or if an administrator deactivated it.',
  }),
  inactive_since: documented(timestamp.nullable(), {
    description: 'Since when it has been inactive, whoever deactivated it; null while it is active.',
  }),
  previous_secret_expires_at: documented(timestamp.nullable(), {
    description:
      'Until when requests are also signed with the secret before the last rotation. May lie in the past; null if the secret was never rotated.',
  }),
  created_by: documented(z.int(), { description: 'The uid of its creator as an integer, 0 if it is none.' }),
  created_by_uid: documented(z.string().nullable(), { description: 'The uid of its creator, or null.' }),
  created_at: timestamp,
  updated_at: timestamp,
});

export const webhook = documented(webhookFields, {
  id: 'Webhook',
  examples: [webhookExample],
  description: 'A registered webhook.',
});

export const webhookWithSecret = documented(webhookFields.extend({ secret }), {
  id: 'WebhookWithSecret',
  examples: [webhookWithSecretExample],
  description: 'A webhook with its new secret, which is shown only in this answer.',
});

export const rotatedWebhook = documented(webhookFields.extend({ secret: secret.optional() }), {
  id: 'RotatedWebhook',
  examples: [webhookWithSecretExample],
  description:
    'A webhook with its new secret, or without one where the rotation only ended the previous one.',
});

const health = documented(
  z.strictObject({
    success: documented(count.clone(), {
      description:
        'Deliveries created in the last 24 hours, the hour in which those began included, by outcome.',
    }),
    failed: count,
    success_rate: documented(z.number().min(0).max(1).nullable(), {
      description: '`success` of both, from 0 to 1; null if none has ended.',
    }),
    is_failing: documented(z.boolean(), {
      description: 'Whether the last delivery that ended failed. Those that were never sent do not count.',
    }),
    last_success_at: timestamp.nullable(),
    last_failure_at: timestamp.nullable(),
  }),
  { id: 'WebhookHealth', description: 'How its deliveries have ended lately.' },
);

const failureStreak = documented(
  z.strictObject({
    failures: documented(count.clone(), {
      description:
        'Failed deliveries since the last success, the activation and the last change of the URL; counted up to `limit`, or to 100.',
    }),
    limit: documented(z.int().min(1).nullable(), {
      description: 'At this number the engine deactivates the webhook; null: never.',
    }),
  }),
  { id: 'FailureStreak', description: 'How near it is to its deactivation.' },
);

const concurrency = documented(
  z
    .strictObject({
      limit: documented(z.int().min(0), {
        description: 'Attempts at once now; it grows with successes and falls with failures.',
      }),
      max: documented(z.int().min(1), { description: 'The highest limit.' }),
      is_slow: documented(z.boolean(), {
        description:
          'Whether its last attempts timed out or took longer than two seconds: all such webhooks share half of the slots.',
      }),
    })
    .nullable(),
  {
    description:
      'What the process that answers knows of its speed. Null if that process does not deliver, or has sent nothing to it lately; others may know more.',
  },
);

export const webhookDetail = documented(
  webhookFields.extend({
    stats: documented(z.strictObject({ total: count, success: count, failed: count, pending: count }), {
      id: 'DeliveryCounts',
      description: 'Its retained deliveries by status; `total` is their sum.',
    }),
    health,
    failure_streak: failureStreak,
    concurrency,
  }),
  {
    id: 'WebhookDetail',
    examples: [webhookDetailExample],
    description: 'A webhook with the counts of its deliveries.',
  },
);

const listedWebhook = documented(
  webhookFields.extend({
    last_delivery: documented(
      z
        .strictObject({ delivery_id: deliveryId, event: z.string(), status, created_at: timestamp })
        .nullable(),
      { description: 'The newest delivery; null if none is retained.' },
    ),
    health,
  }),
  { id: 'ListedWebhook', description: 'A webhook with its newest delivery and its health.' },
);

export const webhookPage = documented(
  z.strictObject({
    webhooks: z.array(listedWebhook),
    total: documented(z.int().min(0), { description: 'How many webhooks match in all.' }),
    limit: count,
    offset: count,
  }),
  { id: 'WebhookPage', examples: [webhookPageExample], description: 'One page of webhooks.' },
);

export const changes = documented(
  z.strictObject({
    version: documented(z.string().min(1), {
      description: 'Opaque: another text than before if something changed.',
    }),
  }),
  { id: 'Changes', examples: [{ version: '12-340' }], description: 'Whether anything changed.' },
);

const summaryFields = z.strictObject({
  id: documented(z.int().min(1), { description: 'Ascending in the order of creation.' }),
  webhook_id: id,
  delivery_id: deliveryId,
  event: documented(z.string(), { examples: ['user.created'] }),
  status,
  status_code: documented(z.int().min(0), {
    description: 'HTTP status of the last attempt; 0 if no response came back or no attempt was made.',
  }),
  response_body: documented(z.string(), {
    description: 'The response body of the last attempt, at most 4,096 bytes.',
  }),
  error: documented(z.string(), {
    description: 'Why the last attempt failed or the delivery ended; empty otherwise.',
    examples: ['', 'timeout', 'webhook_inactive'],
  }),
  attempts: documented(z.int().min(0), { description: 'The number of attempts made, over all series.' }),
  created_at: timestamp,
  completed_at: documented(timestamp.nullable(), { description: 'When it ended; null while it is pending.' }),
  next_attempt_at: documented(timestamp.nullable(), {
    description: 'When the next attempt is due; null once it has ended.',
  }),
});

export const deliveryPage = documented(
  z.strictObject({
    deliveries: z.array(
      documented(summaryFields, { id: 'DeliverySummary', description: 'A delivery without its payload.' }),
    ),
    next_cursor: documented(z.string().nullable(), {
      description: 'Pass it as `cursor` to get the next page; null on the last one.',
    }),
  }),
  {
    id: 'DeliveryPage',
    examples: [deliveryPageExample],
    description: 'One page of a history, newest first.',
  },
);

export const deliverySearch = documented(
  deliveryPage.extend({
    scanned_until: documented(timestamp.nullable(), {
      description:
        'Where the search stopped after 5,000 deliveries: all that were created later have been searched, and `next_cursor` goes on. Null if it did not have to stop.',
    }),
  }),
  {
    id: 'DeliverySearch',
    examples: [{ ...deliveryPageExample, scanned_until: null }],
    description: 'One page of deliveries across webhooks, newest first.',
  },
);

const attempt = documented(
  z.strictObject({
    attempt: documented(z.int().min(1), {
      description: 'Its number, counted over the lifetime of the delivery.',
    }),
    started_at: timestamp,
    duration_ms: documented(z.number().min(0), { description: 'Milliseconds.' }),
    status_code: documented(z.int().min(0), { description: '0 if no response came back.' }),
    error: documented(z.string(), { description: 'Why it failed; empty when it succeeded.' }),
    response_body: documented(z.string(), { description: 'At most 4,096 bytes.' }),
  }),
  { id: 'Attempt', description: 'One attempt of a delivery.' },
);

export const delivery = documented(
  summaryFields.extend({
    payload: documented(z.looseObject({}), {
      description: 'The `data` of the callback, as it is sent.',
      examples: [{ id: 42 }],
    }),
    attempt_log: documented(z.array(attempt).max(20), { description: 'The last 20 attempts, oldest first.' }),
  }),
  {
    id: 'Delivery',
    examples: [deliveryExample],
    description: 'A delivery with its payload and its attempts.',
  },
);

export const receipt = documented(z.strictObject({ delivery_id: deliveryId, status }), {
  id: 'DeliveryReceipt',
  examples: [receiptExample],
  description: 'The delivery that will be attempted.',
});

export const recovery = documented(
  z.strictObject({
    deliveries: documented(z.int().min(0), {
      description: 'How many deliveries are sent again, or would be.',
    }),
    dry_run: z.boolean(),
  }),
  { id: 'Recovery', examples: [recoveryExample], description: 'The result of a recovery.' },
);

export const activity = documented(
  z.strictObject({
    interval: z.enum(['hour', 'day']),
    from: documented(timestamp.clone(), {
      description: 'When the first bucket begins.',
      format: 'date-time',
    }),
    to: documented(timestamp.clone(), { description: 'When the last bucket ends.', format: 'date-time' }),
    activity: documented(
      z.array(
        documented(z.strictObject({ start: timestamp, success: count, failed: count, pending: count }), {
          id: 'ActivityPoint',
          description: 'Deliveries created in one hour or day, by their status now.',
        }),
      ),
      { description: 'Every bucket of the range, oldest first, including those without a delivery.' },
    ),
  }),
  { id: 'Activity', examples: [activityExample], description: 'Deliveries over time.' },
);

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

const explained = documented(
  z.strictObject({
    id,
    url: z.string(),
    is_active: z.boolean(),
    receives: documented(z.boolean(), {
      description: 'Whether an event dispatched now would be delivered to it.',
    }),
    reason: documented(z.enum(['subscribed', 'inactive', 'no_matching_pattern']), {
      description:
        'Why, or why not. `inactive` whatever its patterns: `matched_patterns` says what it would receive.',
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

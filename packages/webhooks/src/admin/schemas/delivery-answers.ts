import { z } from 'zod';
import { DELIVERY_FIELDS, DELIVERY_WORDS, type DeliverySummary } from '../../storage/delivery-record.ts';
import { documented } from '../open-api/documentation.ts';
import {
  activityExample,
  activityOfAllExample,
  deliveryExample,
  deliveryPageExample,
  deliverySearchExample,
  receiptExample,
  recoveryExample,
} from '../open-api/examples.ts';
import { answerFields, count, deliveryId, id, status, timestamp, webhookUrl } from './answer-fields.ts';
import { answers } from './overview-answers.ts';

/** The schemas of the admin API's answers about deliveries, in wire spelling. */

const summaryFields = z.strictObject({
  ...answerFields<typeof DELIVERY_FIELDS, DeliverySummary>(DELIVERY_FIELDS, DELIVERY_WORDS),
  is_test: documented(z.boolean(), { description: 'Whether it was sent as a test.' }),
  status,
});

export const deliveryPage = documented(
  z.strictObject({
    deliveries: z.array(
      documented(summaryFields, { id: 'DeliverySummary', description: 'A delivery without its payload.' }),
    ),
    next_cursor: documented(z.string().nullable(), {
      description: 'Pass it as `cursor` to get the next page; null on the last one.',
    }),
    scanned_until: documented(timestamp.nullable(), {
      description:
        'The page stopped after it had read 5,000 deliveries: when the last one of them was created. `next_cursor` goes on there. Null if it did not have to stop.',
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
    deliveries: z.array(
      documented(
        summaryFields.extend({
          webhook_url: documented(webhookUrl.nullable(), {
            description: 'The URL of its webhook now; null if that was deleted during the search.',
            examples: ['https://hooks.example.com/in'],
          }),
          webhook_name: documented(z.string().nullable(), {
            description: 'The name of its webhook now, empty without one; null if that was deleted.',
            examples: ['Billing'],
          }),
        }),
        { id: 'FoundDelivery', description: 'A delivery without its payload, with where it goes.' },
      ),
    ),
  }),
  {
    id: 'DeliverySearch',
    examples: [deliverySearchExample],
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
    detail: documented(z.string(), {
      description:
        'What exactly was wrong: the reason of a `tls_error` or `invalid_response`, or what was tolerated in a response that has a status. Empty if nothing is known.',
      examples: ['', 'certificate_expired'],
    }),
    deferrals: documented(z.strictObject({ count: z.int().min(1), since: timestamp }).nullable(), {
      description:
        'Only with the error `deferred`: attempts in a row that a busy recipient put off are one entry, that of the last one. How many they are, and when the first one began.',
    }),
    response_headers: documented(z.record(z.string(), z.string()), {
      description:
        'Those of the response’s headers that explain it or name its request, by lower-case name: at most 1,024 bytes.',
      examples: [{ 'content-type': 'text/plain', 'retry-after': '30' }],
    }),
    response_body: documented(z.string(), {
      description: 'At most 4,096 bytes together with `response_headers`.',
    }),
  }),
  { id: 'Attempt', description: 'One attempt of a delivery.' },
);

const request = documented(
  z.strictObject({
    attempt: documented(z.int().min(1), { description: 'The number of the attempt that sent it.' }),
    headers: documented(z.record(z.string(), z.string()), {
      description: 'Its headers by name, without the signatures.',
      examples: [{ 'Content-Type': 'application/json' }],
    }),
    omitted_headers: documented(z.array(z.string()), {
      description: 'The headers that were sent as well: the signatures.',
      examples: [['X-Webhook-Signature', 'webhook-signature']],
    }),
  }),
  {
    id: 'SentRequest',
    description:
      'The headers of the last request, rebuilt from the record: requests are not stored. The signatures are left out, and `User-Agent` is that of the running version.',
  },
);

export const delivery = documented(
  summaryFields.extend({
    payload: documented(z.looseObject({}), {
      description: 'The `data` of the callback, as it is sent.',
      examples: [{ id: 42 }],
    }),
    request: documented(request.nullable(), {
      description: 'The last request that is recorded; null before the first one.',
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

const outcome = documented(z.string(), {
  description:
    '`done`, `not_reached` if there was no time for it, or the `code` of the problem that it alone would be answered with.',
  examples: ['done', 'webhook_not_found'],
});
const done = documented(z.int().min(0), { description: 'How many were done, or would be.' });

export const webhookOutcomes = documented(
  z.strictObject({
    results: z.array(
      z.strictObject({
        webhook_id: id,
        outcome: documented(z.string(), {
          description:
            '`done`, `unchanged` if it was paused or active already, `not_reached` if there was no time for it, or the `code` of the problem that it alone would be answered with.',
          examples: ['done', 'unchanged', 'webhook_not_found'],
        }),
      }),
    ),
    done,
    dry_run: z.boolean(),
  }),
  {
    id: 'WebhookOutcomes',
    examples: [{ results: [{ webhook_id: 1, outcome: 'done' }], done: 1, dry_run: false }],
    description: 'What became of each webhook, in the order of the request.',
  },
);

export const deliveryOutcomes = documented(
  z.strictObject({
    results: z.array(
      z.strictObject({
        delivery_id: deliveryId,
        webhook_id: documented(z.int().min(1).nullable(), {
          description: 'Null if there is no such delivery.',
        }),
        outcome,
      }),
    ),
    done,
    dry_run: z.boolean(),
  }),
  {
    id: 'DeliveryOutcomes',
    examples: [
      {
        results: [{ delivery_id: receiptExample.delivery_id, webhook_id: 1, outcome: 'done' }],
        done: 1,
        dry_run: false,
      },
    ],
    description: 'What became of each delivery, in the order of the request.',
  },
);

export const recovery = documented(
  z.strictObject({
    deliveries: documented(z.int().min(0), {
      description: 'How many deliveries are sent again by this request, or would be.',
    }),
    next_cursor: documented(z.string().nullable(), {
      description:
        'Not all are reached yet: pass it as `cursor` to go on. Null if all are, and with `dry_run`.',
    }),
    dry_run: z.boolean(),
  }),
  { id: 'Recovery', examples: [recoveryExample], description: 'The result of a recovery.' },
);

const activityFields = z.strictObject({
  interval: z.enum(['hour', 'day']),
  from: documented(timestamp, {
    description: 'When the first bucket begins.',
    format: 'date-time',
  }),
  to: documented(timestamp, { description: 'When the last bucket ends.', format: 'date-time' }),
  activity: documented(
    z.array(
      documented(z.strictObject({ start: timestamp, success: count, failed: count, pending: count }), {
        id: 'ActivityPoint',
        description: 'Deliveries created in one hour or day, by their status now.',
      }),
    ),
    { description: 'Every bucket of the range, oldest first, including those without a delivery.' },
  ),
});

export const activityOfAll = documented(activityFields, {
  id: 'ActivityOfAll',
  examples: [activityOfAllExample],
  description: 'Deliveries of all webhooks over time.',
});

export const activity = documented(activityFields.extend({ answers }), {
  id: 'Activity',
  examples: [activityExample],
  description: 'Deliveries over time.',
});

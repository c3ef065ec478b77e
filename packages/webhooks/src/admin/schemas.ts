import { z } from 'zod';
import { isEventName, MAX_EVENT_NAME_LENGTH } from '../events/event-name.ts';
import { historyInput, listInput, searchInput } from '../registry/input-schemas.ts';
import { descriptionField, eventsField, isActiveField, urlField } from '../registry/webhook-fields.ts';
import { EVENT_NAME, EVENT_PATTERN } from './event-pattern.ts';
import { documented } from './open-api/documentation.ts';

/**
 * The schemas of the admin API's requests, in the wire's spelling. They refuse every member that
 * they do not name.
 *
 * Defaults of bodies are documented in words. Client generators take the keyword `default` to mean
 * that a field is always present, and make it required.
 */

const url = {
  description:
    'Where deliveries go: an http or https URL whose host is public and whose port is 80, 443, above 1023 or allowed by the operator. A host name that does not resolve yet is accepted; deliveries check again.',
  format: 'uri',
  examples: ['https://hooks.example.com/in'],
};
const description = { description: 'Free text for administrators.', examples: ['Billing'] };
const events = {
  description: 'Which events it receives: `*`, `<prefix>.*` or exact names. Duplicates are removed.',
  items: { type: 'string', maxLength: MAX_EVENT_NAME_LENGTH, pattern: EVENT_PATTERN },
  examples: [['user.*', 'role.created']],
};

export const createBody = documented(
  z.strictObject({
    url: documented(urlField, url),
    description: documented(descriptionField.optional(), {
      ...description,
      description: `${description.description} Default: empty.`,
    }),
    events: documented(eventsField.optional(), {
      ...events,
      description: `${events.description} Default: all.`,
    }),
    is_active: documented(isActiveField.optional(), {
      description: 'Whether it receives events. Default: true.',
    }),
  }),
  { id: 'CreateWebhook', description: 'A webhook to register.' },
);
export type CreateBody = z.output<typeof createBody>;

export const updateBody = documented(
  z.strictObject({
    url: documented(urlField.optional(), url),
    description: documented(descriptionField.optional(), description),
    events: documented(eventsField.optional(), events),
    is_active: documented(isActiveField.optional(), {
      description: 'Activating also clears `inactive_reason` and begins a new count of failures in a row.',
    }),
  }),
  { id: 'UpdateWebhook', description: 'The fields to replace; absent ones stay as they are.' },
);
export type UpdateBody = z.output<typeof updateBody>;

export const rotateBody = documented(
  z
    .strictObject({
      end_previous: documented(z.boolean().optional(), {
        description:
          'Ends the overlap of the last rotation at once: the present secret stays, and signs alone. Default: false.',
      }),
    })
    .optional(),
  { id: 'RotateSecret', description: 'Which secret to replace or to end.' },
);

const eventName = () =>
  z.string().refine(isEventName, { message: 'must be an event name such as user.created' });

export const testBody = documented(
  z
    .strictObject({
      event: documented(eventName().optional(), {
        description: 'The name of a known event. Default: `webhook.test`.',
        maxLength: MAX_EVENT_NAME_LENGTH,
        pattern: EVENT_NAME,
        examples: ['user.created'],
      }),
      payload: documented(
        // Checked where it is used, and passed on as it is.
        z
          .custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
            message: 'must be a JSON object',
          })
          .optional(),
        {
          description:
            'The payload. Default: the example in the catalog; for `webhook.test`, `{message, webhook_id, timestamp}`.',
          type: 'object',
          additionalProperties: true,
          examples: [{ id: 42 }],
        },
      ),
    })
    .optional(),
  { id: 'TestEvent', description: 'The event to send.' },
);

/** A time as RFC 3339 text. The registry decides which texts are valid. */
const time = () => z.string().max(64);

/** Whether an operation only counts. */
export const isDryRun = documented(z.boolean().optional(), {
  description: 'Counts, and changes nothing. Default: false.',
});

export const recoverBody = documented(
  z.strictObject({
    since: documented(time(), {
      description: 'Deliveries created at this time or later, from 1970 to 2999.',
      format: 'date-time',
      examples: ['2026-11-20T04:00:00Z'],
    }),
    until: documented(time().optional(), {
      description: 'Deliveries created before this time. Default: without end.',
      format: 'date-time',
    }),
    events: documented(z.array(eventName()).min(1).max(100).optional(), {
      description: 'Only deliveries of these events, by their exact names. Default: all.',
      items: { type: 'string', maxLength: MAX_EVENT_NAME_LENGTH, pattern: EVENT_NAME },
      examples: [['user.created']],
    }),
    dry_run: isDryRun,
  }),
  { id: 'Recover', description: 'Which failed deliveries to send again.' },
);

export type RecoverBody = z.output<typeof recoverBody>;

/** For an operation that needs no body and ignores one. */
export const noBody = z.undefined();

/** A whole number as a query spells it: only digits. */
const digits = z
  .string()
  .refine((text) => /^\d{1,15}$/.test(text), { message: 'must be a whole number' })
  .transform(Number);

/** A number in a query, documented as the integer that its text stands for. */
function number(bounds: z.ZodType<number, number>, about: { readonly [keyword: string]: unknown }) {
  return documented(digits.pipe(bounds).optional(), { type: 'integer', pattern: undefined, ...about });
}

const limit = (bounds: z.ZodType<number, number>) =>
  number(bounds, { description: 'How many a page has at most.', minimum: 1, maximum: 100, default: 50 });
const offset = (bounds: z.ZodType<number, number>) =>
  number(bounds, { description: 'How many to skip.', minimum: 0, maximum: 1_000_000, default: 0 });

const isTrue = z.enum(['true', 'false']).transform((text) => text === 'true');

export const listQuery = z.strictObject({
  search: documented(listInput.shape.search, {
    description: 'A part of the URL or description, ignoring ASCII case. Empty means no filter.',
  }),
  active: documented(isTrue.optional(), {
    description: 'Only active or only inactive webhooks.',
    type: 'boolean',
    enum: undefined,
  }),
  failing: documented(isTrue.optional(), {
    description: 'Only webhooks whose last delivery that ended failed, or only the others.',
    type: 'boolean',
    enum: undefined,
  }),
  limit: limit(listInput.shape.limit.unwrap()),
  offset: offset(listInput.shape.offset.unwrap()),
  sort: documented(listInput.shape.sort.optional(), {
    description:
      'The field to order by; ties are ordered by id. `failing` and `desc`: webhooks whose last delivery failed come first.',
  }),
  order: documented(listInput.shape.order.optional(), {
    description: 'The direction; `desc` is newest first.',
  }),
});

export const deliveriesQuery = z.strictObject({
  status: documented(historyInput.shape.status, { description: 'Only deliveries of this status.' }),
  event: documented(historyInput.shape.event, {
    description: 'Only deliveries of this event.',
    examples: ['user.created'],
  }),
  limit: limit(historyInput.shape.limit.unwrap()),
  cursor: documented(historyInput.shape.cursor, { description: 'The `next_cursor` of the page before.' }),
});

export const searchQuery = z.strictObject({
  delivery_id: documented(searchInput.shape.deliveryId, {
    description: 'The `X-Webhook-ID` of one delivery.',
    pattern: '^[0-9a-f]{32}$',
  }),
  status: documented(searchInput.shape.status, { description: 'Only deliveries of this status.' }),
  event: documented(searchInput.shape.event, {
    description: 'Only deliveries of this event.',
    examples: ['user.created'],
  }),
  error: documented(searchInput.shape.error, {
    description: 'Only deliveries whose last attempt failed for this reason; empty: without an error.',
    examples: ['timeout'],
  }),
  status_code: number(searchInput.shape.statusCode.unwrap(), {
    description:
      'Only deliveries whose last attempt was answered with this HTTP status; 0: without a response.',
    minimum: 0,
    maximum: 999,
  }),
  from: documented(time().optional(), {
    description: 'Only deliveries created at this time or later.',
    format: 'date-time',
  }),
  to: documented(time().optional(), {
    description: 'Only deliveries created before this time.',
    format: 'date-time',
  }),
  limit: limit(searchInput.shape.limit.unwrap()),
  cursor: documented(searchInput.shape.cursor, { description: 'The `next_cursor` of the page before.' }),
});

export type SearchQuery = z.output<typeof searchQuery>;

export const changesQuery = z.strictObject({
  webhooks: documented(
    z
      .string()
      .refine((text) => /^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,99}$/.test(text), {
        message: 'must be at most 100 ids of webhooks, separated by commas',
      })
      .transform((text) => text.split(',').map(Number))
      .optional(),
    {
      description:
        'The ids of the webhooks whose deliveries matter, at most 100, separated by commas. Without it, every new delivery changes the version, and no ended one.',
      type: 'string',
      pattern: '^[1-9]\\d{0,15}(,[1-9]\\d{0,15}){0,99}$',
      examples: ['1,2,3'],
    },
  ),
});

export const activityQuery = z.strictObject({
  interval: documented(z.enum(['hour', 'day']).optional(), {
    description: 'The width of a bucket; days are UTC days. At most 744 hours or 366 days.',
    default: 'day',
  }),
  from: documented(time().optional(), {
    description: 'A time within the first bucket. Default: 24 hours or 30 days before the end.',
    format: 'date-time',
  }),
  to: documented(time().optional(), {
    description: 'The end of the last bucket, or a time within it. Default: now.',
    format: 'date-time',
  }),
});

export const explainQuery = z.strictObject({
  event: documented(eventName(), {
    description: 'An event name, known or not.',
    maxLength: MAX_EVENT_NAME_LENGTH,
    pattern: EVENT_NAME,
    examples: ['user.created'],
  }),
  limit: limit(listInput.shape.limit.unwrap()),
  offset: offset(listInput.shape.offset.unwrap()),
});

export const subscribersQuery = z.strictObject({
  limit: limit(listInput.shape.limit.unwrap()),
  offset: offset(listInput.shape.offset.unwrap()),
});

export const noQuery = z.strictObject({});

/** An id has one spelling: no sign, no leading zero, no percent-encoding. */
const webhookId = documented(
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number)
    .pipe(z.int()),
  { description: 'The id of a webhook.', type: 'integer', minimum: 1, pattern: undefined, examples: [1] },
);

export const noParams = z.strictObject({});
export const eventParams = z.strictObject({
  name: documented(eventName(), {
    description: 'The name of an event.',
    maxLength: MAX_EVENT_NAME_LENGTH,
    pattern: EVENT_NAME,
    examples: ['user.created'],
  }),
});
export const webhookParams = z.strictObject({ id: webhookId });
export const deliveryParams = z.strictObject({
  id: webhookId,
  delivery_id: documented(z.string().regex(/^[0-9a-f]{32}$/), {
    description: 'The `delivery_id` of a delivery: the `X-Webhook-ID` that its recipient saw.',
    examples: ['5f0c3a4b6d7e8f90123456789abcdef0'],
  }),
});

import { z } from 'zod';
import { isEventName, MAX_EVENT_NAME_LENGTH } from '../events/event-name.ts';
import { descriptionField, eventsField, isActiveField, urlField } from '../registry/webhook-fields.ts';
import { historyInput, listInput } from '../registry/webhook-input.ts';
import { EVENT_NAME, EVENT_PATTERN } from './event-pattern.ts';
import { documented } from './open-api/documentation.ts';

/**
 * What the requests of the admin API may hold, in the wire's spelling. Everything that is not named is refused.
 *
 * Defaults of bodies are documented in words: from the keyword `default` generators of clients conclude that a field
 * is always there, and demand it.
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

/** A moment as RFC 3339 text; which texts are moments is the registry's to say. */
const moment = () => z.string().max(64);

export const recoverBody = documented(
  z.strictObject({
    since: documented(moment(), {
      description: 'Deliveries created at this moment or later, from 1970 to 2999.',
      format: 'date-time',
      examples: ['2026-11-20T04:00:00Z'],
    }),
    dry_run: documented(z.boolean().optional(), {
      description: 'Counts, and changes nothing. Default: false.',
    }),
  }),
  { id: 'Recover', description: 'Which failed deliveries to send again.' },
);

/** Of an operation that needs no body and looks at none. */
export const noBody = z.undefined();

/** A whole number as a query spells it: digits alone. */
const digits = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

/** A number in a query, documented as what it stands for. */
function number(bounds: z.ZodType<number, number>, about: { readonly [keyword: string]: unknown }) {
  return documented(digits.pipe(bounds).optional(), { type: 'integer', pattern: undefined, ...about });
}

const limit = (bounds: z.ZodType<number, number>) =>
  number(bounds, { description: 'How many a page has at most.', minimum: 1, maximum: 100, default: 50 });
const offset = (bounds: z.ZodType<number, number>) =>
  number(bounds, { description: 'How many to leave out first.', minimum: 0, maximum: 1_000_000, default: 0 });

export const listQuery = z.strictObject({
  search: documented(listInput.shape.search, {
    description: 'A part of the URL or description, without regard to ASCII case. Empty means no filter.',
  }),
  active: documented(
    z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional(),
    { description: 'Active or inactive ones alone.', type: 'boolean', enum: undefined },
  ),
  limit: limit(listInput.shape.limit.unwrap()),
  offset: offset(listInput.shape.offset.unwrap()),
  sort: documented(listInput.shape.sort.optional(), { description: 'What to order by; ties by id.' }),
  order: documented(listInput.shape.order.optional(), {
    description: 'The direction; `desc` is newest first.',
  }),
});

export const deliveriesQuery = z.strictObject({
  status: documented(historyInput.shape.status, { description: 'Deliveries of this status alone.' }),
  event: documented(historyInput.shape.event, {
    description: 'Deliveries of this event alone.',
    examples: ['user.created'],
  }),
  limit: limit(historyInput.shape.limit.unwrap()),
  cursor: documented(historyInput.shape.cursor, { description: 'The `next_cursor` of the page before.' }),
});

export const activityQuery = z.strictObject({
  interval: documented(z.enum(['hour', 'day']).optional(), {
    description: 'How wide a bucket is; days are those of UTC. At most 744 hours or 366 days.',
    default: 'day',
  }),
  from: documented(moment().optional(), {
    description: 'A moment of the first bucket. Default: so that there are 24 hours, or 30 days.',
    format: 'date-time',
  }),
  to: documented(moment().optional(), {
    description: 'The end of the last bucket, or a moment of it. Default: now.',
    format: 'date-time',
  }),
});

export const explainQuery = z.strictObject({
  event: documented(
    z.string().refine(isEventName, { message: 'must be an event name such as user.created' }),
    {
      description: 'An event name, known or not.',
      maxLength: MAX_EVENT_NAME_LENGTH,
      pattern: EVENT_NAME,
      examples: ['user.created'],
    },
  ),
  limit: limit(listInput.shape.limit.unwrap()),
  offset: offset(listInput.shape.offset.unwrap()),
});

export const noQuery = z.strictObject({});

/** One spelling per id: no sign, no leading zero, no percent-encoding. */
const webhookId = documented(
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number)
    .pipe(z.int()),
  { description: 'The id of a webhook.', type: 'integer', minimum: 1, pattern: undefined, examples: [1] },
);

export const noParams = z.strictObject({});
export const webhookParams = z.strictObject({ id: webhookId });
export const deliveryParams = z.strictObject({
  id: webhookId,
  delivery_id: documented(z.string().regex(/^[0-9a-f]{32}$/), {
    description: 'The `delivery_id` of a delivery: the `X-Webhook-ID` that its recipient saw.',
    examples: ['5f0c3a4b6d7e8f90123456789abcdef0'],
  }),
});

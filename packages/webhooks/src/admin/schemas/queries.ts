import { z } from 'zod';
import { EVENT_NAME, MAX_EVENT_NAME_LENGTH } from '../../events/event-name.ts';
import { historyInput, listInput, searchInput, tenantsInput } from '../../registry/input-schemas.ts';
import { documented } from '../open-api/documentation.ts';
import { eventName, time } from './fields.ts';

/**
 * The schemas of the queries of the admin API's requests, in the wire's spelling. They refuse every
 * parameter that they do not name.
 */

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

/** Whose webhooks, for administrators. */
function tenant(description: string) {
  const schema = z
    .string()
    .max(64)
    .transform((name) => (name === '' ? null : name))
    .optional();
  const about = { type: 'string', maxLength: 64, examples: ['acme'] };
  return documented(schema, { audience: 'administrators', description, ...about });
}

export const listQuery = z.strictObject({
  tenant: tenant('Only the webhooks of this customer; empty: only those of the application itself.'),
  search: documented(listInput.shape.search, {
    description:
      'A part of the URL, name or description, or of the customer if those of several are listed, ignoring ASCII case; an event also finds the webhooks with a pattern for it, except `*`, and a pattern such as `order.*` those with a pattern for all of it or for a part. Empty means no filter.',
  }),
  active: documented(isTrue.optional(), {
    description: 'Only active or only inactive webhooks.',
    type: 'boolean',
    enum: undefined,
  }),
  health: documented(listInput.shape.health, { description: 'Only webhooks of that level.' }),
  limit: limit(listInput.shape.limit.unwrap()),
  offset: offset(listInput.shape.offset.unwrap()),
  sort: documented(listInput.shape.sort.optional(), {
    description:
      'The field to order by; ties are ordered by id. `level` and `desc`: webhooks that are down come first, and then degraded ones; of either those with a pending delivery, and of those the one that is down for the longest time.',
  }),
  order: documented(listInput.shape.order.optional(), {
    description: 'The direction; `desc` is newest first.',
  }),
});

export const tenantsQuery = z.strictObject({
  after: documented(tenantsInput.shape.after, {
    description: 'Only customers after this one: the `next` of the page before.',
    maxLength: 64,
    examples: ['acme'],
  }),
  limit: limit(tenantsInput.shape.limit.unwrap()),
});

const createdWithin = {
  from: documented(time().optional(), {
    description: 'Only deliveries created at this time or later.',
    format: 'date-time',
  }),
  to: documented(time().optional(), {
    description: 'Only deliveries created before this time; not before `from`.',
    format: 'date-time',
  }),
};

export const deliveriesQuery = z.strictObject({
  status: documented(historyInput.shape.status, { description: 'Only deliveries of this status.' }),
  event: documented(historyInput.shape.event, {
    description: 'Only deliveries of this event, or of all events below a prefix: `order.*`.',
    examples: ['user.created'],
  }),
  ...createdWithin,
  limit: limit(historyInput.shape.limit.unwrap()),
  cursor: documented(historyInput.shape.cursor, { description: 'The `next_cursor` of the page before.' }),
});

export const searchQuery = z.strictObject({
  tenant: tenant('Only deliveries of this customer’s webhooks; empty: of the application’s own.'),
  webhook_id: number(searchInput.shape.webhookId.unwrap(), {
    description: 'Only deliveries of this webhook.',
    minimum: 1,
  }),
  delivery_id: documented(searchInput.shape.deliveryId, {
    description: 'The `X-Webhook-ID` of one delivery.',
    pattern: '^[0-9a-f]{32}$',
  }),
  status: documented(searchInput.shape.status, { description: 'Only deliveries of this status.' }),
  event: documented(searchInput.shape.event, {
    description: 'Only deliveries of this event, or of all events below a prefix: `order.*`.',
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
  ...createdWithin,
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

export const activityOfAllQuery = activityQuery.extend({
  tenant: tenant('Only deliveries of this customer’s webhooks; empty: of the application’s own.'),
});

export const explainQuery = z.strictObject({
  event: documented(eventName(), {
    description: 'An event name, known or not.',
    maxLength: MAX_EVENT_NAME_LENGTH,
    pattern: EVENT_NAME.source,
    examples: ['user.created'],
  }),
  search: listQuery.shape.search,
  limit: limit(listInput.shape.limit.unwrap()),
  offset: offset(listInput.shape.offset.unwrap()),
});

export const subscribersQuery = z.strictObject({
  limit: limit(listInput.shape.limit.unwrap()),
  offset: offset(listInput.shape.offset.unwrap()),
});

export const noQuery = z.strictObject({});

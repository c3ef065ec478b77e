import { z } from 'zod';
import type { ByColumn, Field, Fields } from '../../storage/field.ts';
import { WEBHOOK_WORDS } from '../../storage/webhook-record.ts';
import { documented } from '../open-api/documentation.ts';

/** The fields that the answers of the admin API share, in wire spelling. */

export const timestamp = documented(z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/), {
  description: 'RFC 3339, UTC, milliseconds.',
  format: 'date-time',
  examples: ['2026-11-20T04:10:00.123Z'],
});
export const count = z.int().min(0);
export const id = z.int().min(1);
export const webhookUrl = documented(z.string(), { isWebhookUrl: true });
export const webhookName = documented(z.string(), {
  description: 'What people call it; empty where it has no name.',
});
export const deliveryId = documented(z.string().regex(/^[0-9a-f]{32}$/), {
  description: 'The `X-Webhook-ID` of every attempt.',
  examples: ['5f0c3a4b6d7e8f90123456789abcdef0'],
});
export const status = documented(z.enum(['pending', 'success', 'failed']), {
  id: 'DeliveryStatus',
  description: '`pending` until the last attempt has ended.',
});
export const patterns = documented(z.array(z.string()), {
  description: 'Event patterns; none if a webhook was written by SQL without any.',
  examples: [['user.*', 'role.created']],
});

type Schemas<Values> = { readonly [Name in keyof Values]: z.ZodType<Values[Name], Values[Name]> };

/** Schemas of the fields of a record, by their names in an answer. */
export function answerFields<const All extends Fields, Values extends object>(
  fields: All,
  words: { readonly [Name in keyof All]?: string },
): ByColumn<All, Schemas<Values>> {
  const schemas = Object.entries<Field>(fields).map(([name, field]) => {
    const { column, audience, isNullable } = field;
    const schema = isNullable ? answered(field).nullable() : answered(field);
    const about = {
      ...(audience === 'administrators' && { audience }),
      ...(words[name] && { description: words[name] }),
    };
    return [column, Object.keys(about).length === 0 ? schema : documented(schema, about)];
  });
  return Object.fromEntries(schemas);
}

function answered({
  holds,
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
}: Pick<Field, 'holds' | 'min' | 'max'>): z.ZodType {
  if (typeof holds !== 'string') return z.enum(holds);
  switch (holds) {
    case 'id':
      return deliveryId;
    case 'url':
      return webhookUrl;
    case 'patterns':
      return patterns;
    case 'number':
      return z.int().min(min).max(max);
    case 'boolean':
      return z.boolean();
    case 'time':
      return timestamp;
    case 'text':
    case 'line':
      return z.string();
  }
}

/** Whose webhook it is. */
export const tenant = documented(z.string().optional(), {
  audience: 'administrators',
  description: WEBHOOK_WORDS.tenant,
});

import { z } from 'zod';
import { descriptionField, eventsField, isActiveField, urlField } from '../registry/webhook-fields.ts';
import { historyInput, listInput } from '../registry/webhook-input.ts';

/** What the requests of the admin API may hold, in the wire's spelling. Everything that is not named is refused. */

export const createBody = z.strictObject({
  url: urlField,
  description: descriptionField.optional(),
  events: eventsField.optional(),
  is_active: isActiveField.optional(),
});
export type CreateBody = z.output<typeof createBody>;

export const updateBody = z.strictObject({
  url: urlField.optional(),
  description: descriptionField.optional(),
  events: eventsField.optional(),
  is_active: isActiveField.optional(),
});
export type UpdateBody = z.output<typeof updateBody>;

/** Of an operation that needs no body and looks at none. */
export const noBody = z.undefined();

/** A whole number as a query spells it: digits alone. */
const digits = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

export const listQuery = z.strictObject({
  search: listInput.shape.search,
  active: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  limit: digits.pipe(listInput.shape.limit.unwrap()).optional(),
  offset: digits.pipe(listInput.shape.offset.unwrap()).optional(),
  sort: listInput.shape.sort.optional(),
  order: listInput.shape.order.optional(),
});

export const deliveriesQuery = z.strictObject({
  status: historyInput.shape.status,
  event: historyInput.shape.event,
  limit: digits.pipe(historyInput.shape.limit.unwrap()).optional(),
  cursor: historyInput.shape.cursor,
});

export const noQuery = z.strictObject({});

/** One spelling per id: no sign, no leading zero, no percent-encoding. */
const webhookId = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .pipe(z.int());

export const noParams = z.strictObject({});
export const webhookParams = z.strictObject({ id: webhookId });
export const deliveryParams = z.strictObject({
  id: webhookId,
  delivery_id: z.string().regex(/^[0-9a-f]{32}$/),
});

import { z } from 'zod';
import { EVENT_NAME, MAX_EVENT_NAME_LENGTH } from '../../events/event-name.ts';
import { documented } from '../open-api/documentation.ts';
import { eventName } from './fields.ts';

/** The schemas of the parameters in the paths of the admin API's requests. */

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
    pattern: EVENT_NAME.source,
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

import { z } from 'zod';
import { isEventName } from '../../events/event-name.ts';

/** The schemas of values that several parts of a request have. */

/** The name of an event. */
export const eventName = (): z.ZodString =>
  z.string().refine(isEventName, { message: 'must be an event name such as user.created' });

/** A time as RFC 3339 text. The registry decides which texts are valid. */
export const time = (): z.ZodString => z.string().max(64);

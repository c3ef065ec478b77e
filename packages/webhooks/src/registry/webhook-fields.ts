import { z } from 'zod';
import { isBlank } from '../../../toolkit/src/blank-text.ts';
import { isPlainLine } from '../../../toolkit/src/plain-line.ts';
import { MAX_URL_LENGTH } from '../egress/url-policy.ts';
import { isEventPattern } from '../events/pattern.ts';
import { isStorableText } from '../storage/storable-text.ts';
import { isMasked } from './shown-url.ts';

/** The limits of a webhook's fields, in characters (UTF-16 code units) and items. */
const MAX_NAME_LENGTH = 80;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_PATTERNS = 100;

/** The shape of a URL. Whether it is public is checked afterwards, by resolving it. */
export const urlField: z.ZodString = z
  .string()
  .min(1)
  .max(MAX_URL_LENGTH)
  .refine((url) => !isMasked(url), {
    message: 'must be the whole URL: ?*** stands for what was hidden from who read it',
    params: { code: 'masked_url' },
  });

/**
 * Text of at most `max` characters that every database stores unchanged: no U+0000, no half of a
 * surrogate pair.
 */
export function storableText(max: number): z.ZodString {
  return z
    .string()
    .max(max)
    .refine(isStorableText, { message: 'must not contain U+0000 or half of a surrogate pair' });
}

/** What people call the webhook, on one line; empty: it has no name. */
export const nameField: z.ZodString = z
  .string()
  .max(MAX_NAME_LENGTH)
  .refine((name) => isPlainLine(name) && (name === '' || !isBlank(name)), {
    message: 'must be one line with a visible character, without controls of direction',
  });

/** Free text for administrators. */
export const descriptionField: z.ZodString = storableText(MAX_DESCRIPTION_LENGTH);

/** Event patterns in the given order, without duplicates. */
export const eventsField: z.ZodType<string[]> = z
  .array(
    z.string().refine(isEventPattern, {
      message: 'must be *, <prefix>.* or an exact event name such as user.created, at most 128 characters',
      params: { code: 'invalid_pattern' },
    }),
  )
  .min(1)
  .max(MAX_PATTERNS)
  .transform((patterns) => [...new Set(patterns)]);

/** How many attempts a minute each process makes; null: any number. */
export const maxPerMinuteField: z.ZodNullable<z.ZodInt> = z.int().min(1).max(60_000).nullable();

/** Whether the webhook receives events. */
export const isActiveField: z.ZodBoolean = z.boolean();

import { z } from 'zod';
import { isBlank } from '../../../toolkit/src/blank-text.ts';
import { isPlainLine } from '../../../toolkit/src/plain-line.ts';
import { MAX_URL_LENGTH } from '../egress/url-policy.ts';
import { isEventPattern } from '../events/pattern.ts';
import type { Field } from '../storage/field.ts';
import { isStorableText } from '../storage/storable-text.ts';
import { WEBHOOK_SETTINGS, type WebhookSettings } from '../storage/webhook-record.ts';
import { isMasked } from './shown-url.ts';

/** The shape of a URL. Whether it is public is checked afterwards, by resolving it. */
const urlField: z.ZodString = z
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

/** Text on one line; empty, or with a visible character. */
function lineField(max: number): z.ZodString {
  return z
    .string()
    .max(max)
    .refine((line) => isPlainLine(line) && (line === '' || !isBlank(line)), {
      message: 'must be one line with a visible character, without controls of direction',
    });
}

/** Event patterns in the given order, without duplicates. */
function patternsField(max: number): z.ZodType<string[]> {
  return z
    .array(
      z.string().refine(isEventPattern, {
        message: 'must be *, <prefix>.* or an exact event name such as user.created, at most 128 characters',
        params: { code: 'invalid_pattern' },
      }),
    )
    .min(1)
    .max(max)
    .transform((patterns) => [...new Set(patterns)]);
}

function checkOf({ isNullable, ...field }: Omit<Field, 'column' | 'example'>): z.ZodType {
  if (isNullable) return checkOf(field).nullable();
  const { holds, min = 0, max = Number.MAX_SAFE_INTEGER } = field;
  switch (holds) {
    case 'url':
      return urlField;
    case 'line':
      return lineField(max);
    case 'text':
      return storableText(max);
    case 'patterns':
      return patternsField(max);
    case 'number':
      return z.int().min(min).max(max);
    case 'boolean':
      return z.boolean();
    default:
      throw new TypeError(`nothing checks a setting that holds ${String(holds)}`);
  }
}

/** What each setting of a webhook may be. */
export type SettingSchemas = {
  readonly [Name in keyof WebhookSettings]: z.ZodType<WebhookSettings[Name], WebhookSettings[Name]>;
};

/** A schema for each setting of a webhook, made of its check and its row. */
export function settingSchemas(
  schemaOf: (check: z.ZodType, field: Field, name: keyof WebhookSettings) => z.ZodType = (check) => check,
): SettingSchemas {
  const rows = Object.entries<Field>(WEBHOOK_SETTINGS) as [keyof WebhookSettings, Field][];
  const schemas = rows.map(([name, field]) => [name, schemaOf(checkOf(field), field, name)]);
  return Object.fromEntries(schemas) as SettingSchemas;
}

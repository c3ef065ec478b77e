import { z } from 'zod';
import { EVENT_NAME, MAX_EVENT_NAME_LENGTH } from '../../events/event-name.ts';
import { EVENT_PATTERN } from '../../events/pattern.ts';
import { recoverInput } from '../../registry/input-schemas.ts';
import { type SettingSchemas, settingSchemas } from '../../registry/webhook-fields.ts';
import { byColumn } from '../../storage/field.ts';
import { SETTING_WORDS, WEBHOOK_SETTINGS, WEBHOOK_WORDS } from '../../storage/webhook-record.ts';
import { documentation, documented } from '../open-api/documentation.ts';
import { eventName, time } from './fields.ts';

/**
 * The schemas of the bodies of the admin API's requests, in the wire's spelling. They refuse every
 * member that they do not name.
 *
 * Defaults are documented in words. Client generators take the keyword `default` to mean that a
 * field is always present, and make it required.
 */

/**
 * The settings of a webhook. Without `format`: `uri` and `iri` both refuse addresses that the API
 * takes, as browsers do.
 */
function settings(isCreation: boolean) {
  const words: Readonly<Record<string, string>> = WEBHOOK_WORDS;
  const wordsForInput: Readonly<Record<string, string>> = SETTING_WORDS;
  const optional = settingSchemas((check, { holds, initial, audience, example }, name) => {
    const sentences = [words[name], wordsForInput[name]];
    if (isCreation && initial !== undefined) sentences.push(`Default: ${initialWords(initial)}.`);
    return documented(check.optional(), {
      description: sentences.filter((sentence) => sentence !== undefined).join(' '),
      ...(audience === 'administrators' && { audience }),
      ...(holds === 'patterns' && { items: EVENT_PATTERNS }),
      examples: [example],
    });
  });
  return byColumn(WEBHOOK_SETTINGS, optional as OptionalSchemas);
}

type OptionalSchemas = {
  readonly [Name in keyof SettingSchemas]: z.ZodOptional<SettingSchemas[Name]>;
};

/** The same member, which must be there. */
function required<Schema extends z.ZodType>(member: z.ZodOptional<Schema>): Schema {
  return documented(member.unwrap(), documentation.get(member) ?? {});
}

const EVENT_PATTERNS = { type: 'string', maxLength: MAX_EVENT_NAME_LENGTH, pattern: EVENT_PATTERN.source };

function initialWords(initial: unknown): string {
  if (initial === '') return 'empty';
  return Array.isArray(initial) ? 'all' : String(initial);
}

const { url, ...others } = settings(true);

export const createBody = documented(z.strictObject({ url: required(url), ...others }), {
  id: 'CreateWebhook',
  description: 'A webhook to register.',
});
export type CreateBody = z.output<typeof createBody>;

export const updateBody = documented(z.strictObject(settings(false)), {
  id: 'UpdateWebhook',
  description: 'The fields to replace; absent ones stay as they are.',
});
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

export const testBody = documented(
  z
    .strictObject({
      event: documented(eventName().optional(), {
        description: 'The name of a known event. Default: `webhook.test`.',
        maxLength: MAX_EVENT_NAME_LENGTH,
        pattern: EVENT_NAME.source,
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
            'The payload. Default: the example in the catalog; for `webhook.test`, `{message, webhook_id, timestamp}`. Whole numbers beyond 2^53 - 1 may change: write them as strings.',
          type: 'object',
          additionalProperties: true,
          examples: [{ id: 42 }],
        },
      ),
    })
    .optional(),
  { id: 'TestEvent', description: 'The event to send.' },
);

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
      items: { type: 'string', maxLength: MAX_EVENT_NAME_LENGTH, pattern: EVENT_NAME.source },
      examples: [['user.created']],
    }),
    cursor: documented(recoverInput.shape.cursor, {
      description:
        'The `next_cursor` of an earlier response to the same request. Default: from the oldest on. With `dry_run`, it changes nothing.',
    }),
    dry_run: isDryRun,
  }),
  { id: 'Recover', description: 'Which failed deliveries to send again.' },
);

export type RecoverBody = z.output<typeof recoverBody>;

/** For an operation that needs no body and ignores one. */
export const noBody = z.undefined();

import { PROBLEM_TEXTS, REFUSAL_TEXTS } from '../../texts/problem-texts.ts';
import { ApiError, type FieldProblem } from '../api/api-error.ts';
import { isKeyOf } from '../key-of.ts';
import { fill, hostTexts } from '../texts/host-texts.ts';

const problemTexts = hostTexts('problem', PROBLEM_TEXTS);
const refusalTexts = hostTexts('refusal', REFUSAL_TEXTS);

/** Explains why a request failed. */
export function problemMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return refusalTexts.pageFailed;
  const { code } = error;
  if (isKeyOf(problemTexts, code)) return problemTexts[code];
  return error.message || fill(refusalTexts.unknownCode, { code });
}

/**
 * The messages for one field of a form; those for `events[2]` belong to `events`. Null if there are
 * none.
 */
export function fieldMessage(error: unknown, field: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const own = error.fields.filter((problem) => problem.field.replace(/\[.*$/, '') === field);
  return own.length === 0 ? null : [...new Set(own.map(fieldSentence))].join(' ');
}

/** The dictionary's text for a code that it knows; otherwise the server's own sentence. */
function fieldSentence({ field, code, message, max }: FieldProblem): string {
  if (field === 'max_per_minute') return refusalTexts.fieldMaxPerMinute;
  if (code === 'too_big' && max !== undefined) {
    return fill(field === 'events' ? refusalTexts.fieldTooMany : refusalTexts.fieldTooLong, { max });
  }
  if (isKeyOf(FIELD_TEXTS, code)) return refusalTexts[FIELD_TEXTS[code]];
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}

/** The texts of the codes that fields have. */
const FIELD_TEXTS = {
  required: 'fieldRequired',
  invalid_pattern: 'fieldPattern',
  unknown_event: 'fieldUnknownEvent',
  invalid_url: 'fieldUrlInvalid',
  url_not_public: 'fieldUrlNotPublic',
  local_name: 'fieldUrlLocalName',
  https_required: 'fieldUrlHttps',
  user_info: 'fieldUrlUserInfo',
  port_not_allowed: 'fieldUrlPort',
  masked_url: 'fieldUrlMasked',
} as const;

import { ApiError, type FieldProblem } from '../api/api-error.ts';
import { fill } from '../texts/host-texts.ts';
import { problemTexts, refusalTexts } from './problem-texts.ts';

/** Explains why a request failed. */
export function problemMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return refusalTexts.pageFailed;
  const { code } = error;
  if (isProblemCode(code)) return problemTexts[code];
  return error.message || fill(refusalTexts.unknownCode, { code });
}

function isProblemCode(code: string): code is keyof typeof problemTexts {
  return Object.hasOwn(problemTexts, code);
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

function fieldSentence({ code, message }: FieldProblem): string {
  if (code === 'url_not_public' && message.includes('public address')) {
    return refusalTexts.fieldUrlNotPublic;
  }
  if (code === 'url_not_public' && /qualified|local use/.test(message)) return refusalTexts.fieldUrlLocalName;
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}

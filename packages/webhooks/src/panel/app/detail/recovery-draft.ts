import type { RecoveryRange } from '../api/records.ts';
import { localInputValue } from './local-input-value.ts';
import { webhookDialogTexts } from './webhook-texts.ts';

/** What the fields of a recovery hold. */
export interface RecoveryDraft {
  /** As `<input type="datetime-local">` gives it: in the viewer's zone, empty without a time. */
  readonly since: string;
  /** Likewise. Empty: without end. */
  readonly until: string;
  /** Names with commas or white space between them. Empty: all events. */
  readonly events: string;
}

export type RecoveryField = keyof RecoveryDraft;

const DAY_MS = 86_400_000;

/** What was created since then. Default: the last day. */
export function newRecovery(since?: string): RecoveryDraft {
  const start = since === undefined ? Date.now() - DAY_MS : Date.parse(since);
  return { since: localInputValue(new Date(start)), until: '', events: '' };
}

/** What is wrong with the times, before they are sent. */
export function recoveryProblems({ since, until }: RecoveryDraft): Partial<Record<RecoveryField, string>> {
  return {
    ...(isTime(since) ? {} : { since: webhookDialogTexts.noDate }),
    ...(until === '' || isTime(until) ? {} : { until: webhookDialogTexts.noDate }),
  };
}

/** The request of a draft without problems. */
export function recoveryOf({ since, until, events }: RecoveryDraft): RecoveryRange {
  const names = events.split(/[\s,]+/).filter((name) => name !== '');
  return {
    since: new Date(since).toISOString(),
    ...(until !== '' && { until: new Date(until).toISOString() }),
    ...(names.length > 0 && { events: [...new Set(names)] }),
  };
}

/** The field accepts years of five digits, which Date does not. */
function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { WebhookInput } from '../api/records.ts';
import { fieldMessage } from '../messages/problem-message.ts';
import { useDraft } from './draft.ts';
import { patternProblem } from './event-pattern.ts';
import { eventTexts } from './event-texts.ts';
import { eachField, FORM_FIELD_NAMES, FORM_FIELDS } from './form-fields.ts';
import { formTexts } from './form-texts.ts';

/** The input in the form of a webhook. `events` are empty while "only some events" has none yet. */
interface WebhookDraft extends WebhookInput {
  /** A custom pattern that is typed and not added yet. */
  readonly pattern: string;
}

/** Of a new webhook, which gets every event. */
export const EMPTY_DRAFT = draftOf(eachField((name) => FORM_FIELDS[name].empty) as WebhookInput);

/** What the form of a webhook begins with. */
export function draftOf(webhook: WebhookInput): WebhookDraft {
  return { ...(eachField((name) => webhook[name]) as WebhookInput), pattern: '' };
}

/** What is wrong with each field; null for nothing. */
type WebhookProblems = Readonly<Record<keyof WebhookInput, string | null>>;

/** What some fields of the form show and change. */
export interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly problems: WebhookProblems;
  readonly onChange: (fields: Partial<WebhookDraft>) => void;
}

export interface WebhookInputOptions {
  /** Tells unsaved forms apart: `new`, or a webhook's id. */
  readonly name: string;
  readonly initial: WebhookDraft;
  /** What the server said of the last submit. */
  readonly error: unknown;
  readonly onSaved?: () => void;
  /**
   * Resolves once it is saved. A rejection keeps the input. `base` has the values that the form
   * began with.
   */
  readonly onSubmit: (input: WebhookInput, base: WebhookInput) => Promise<unknown>;
}

/** The input of a webhook, checked when it is submitted. It is not lost unasked. */
export function useWebhookInput({ name, initial, error, onSubmit, onSaved }: WebhookInputOptions) {
  const kept = useDraft(name, initial);
  const { draft, base, forget } = kept;
  // The number of submits: after each one, the first field with a problem gets the focus.
  const [checks, setChecks] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (checks === 0 && !error) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [checks, error]);
  const isSending = useRef(false);
  const isChecked = checks > 0;
  const events = chosenEvents(draft);
  const urlProblem = isChecked ? urlMessage(draft.url) : null;
  const eventsProblem = isChecked && draft.events.length === 0 && !events?.length ? eventTexts.none : null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecks(checks + 1);
    if (urlMessage(draft.url) !== null || !events?.length) return;
    const { pattern: _, ...fields } = draft;
    const lines = FORM_FIELD_NAMES.flatMap((name) => {
      const text = fields[name];
      return typeof text === 'string' && FORM_FIELDS[name].typed !== 'text' ? [[name, text.trim()]] : [];
    });
    // The button is disabled with the next render only, and a second click may come before it.
    if (isSending.current) return;
    isSending.current = true;
    onSubmit({ ...fields, ...Object.fromEntries(lines), events }, base)
      .then(
        () => {
          forget();
          onSaved?.();
        },
        () => undefined,
      )
      .finally(() => {
        isSending.current = false;
      });
  }

  const problems: WebhookProblems = {
    ...eachField((name) => fieldMessage(error, name)),
    ...(urlProblem !== null && { url: urlProblem }),
    ...(eventsProblem !== null && { events: eventsProblem }),
  };
  return { ...kept, form, problems, submit };
}

/** The patterns, with one that is typed and not added yet; null if that one is invalid. */
function chosenEvents({ events, pattern }: WebhookDraft): readonly string[] | null {
  const typed = pattern.trim();
  if (typed === '' || events.includes('*') || events.includes(typed)) return events;
  return patternProblem(typed) === null ? [...events, typed] : null;
}

function urlMessage(text: string): string | null {
  const url = text.trim();
  if (url === '') return formTexts.noUrl;
  if (!/^https?:\/\//i.test(url)) return formTexts.urlScheme;
  return URL.canParse(url) ? null : formTexts.urlIncomplete;
}

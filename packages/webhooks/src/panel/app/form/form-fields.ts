import type { WebhookInput } from '../api/records.ts';
import { eventTexts } from './event-texts.ts';
import { formTexts } from './form-texts.ts';

/** A field of the form: what it is called, how it is typed, and what a new webhook has. */
interface FormField {
  readonly label: string;
  readonly advice: string;
  readonly typed: 'line' | 'url' | 'text' | 'number' | 'events';
  /** Characters of text; the number itself. */
  readonly max?: number;
  readonly empty: string | null | readonly string[];
}

/** What the form of a webhook asks for. */
export const FORM_FIELDS: { readonly [Name in keyof WebhookInput]: FormField } = {
  name: { label: formTexts.name, advice: formTexts.nameAdvice, typed: 'line', max: 80, empty: '' },
  url: { label: formTexts.url, advice: formTexts.urlAdvice, typed: 'url', max: 2_048, empty: '' },
  description: {
    label: formTexts.description,
    advice: formTexts.descriptionAdvice,
    typed: 'text',
    max: 1_000,
    empty: '',
  },
  events: { label: eventTexts.events, advice: eventTexts.eventsAdvice, typed: 'events', empty: ['*'] },
  max_per_minute: {
    label: formTexts.maxPerMinute,
    advice: formTexts.maxPerMinuteAdvice,
    typed: 'number',
    max: 60_000,
    empty: null,
  },
};

export const FORM_FIELD_NAMES = Object.keys(FORM_FIELDS) as readonly (keyof WebhookInput)[];

/** Something for each field of the form. */
export function eachField<Value>(of: (name: keyof WebhookInput) => Value) {
  const entries = FORM_FIELD_NAMES.map((name) => [name, of(name)]);
  return Object.fromEntries(entries) as Record<keyof WebhookInput, Value>;
}

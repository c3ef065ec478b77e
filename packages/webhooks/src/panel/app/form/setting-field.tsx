import { Textarea, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import type { WebhookInput } from '../api/records.ts';
import { FORM_FIELDS } from './form-fields.ts';
import type { WebhookFieldsProps } from './webhook-input.ts';

interface SettingFieldProps extends WebhookFieldsProps {
  readonly name: Exclude<keyof WebhookInput, 'events'>;
  readonly isFirst?: boolean;
}

/** Types one setting of a webhook: a line, a URL, a text or a number. */
export function SettingField({ name, draft, problems, onChange, isFirst = false }: SettingFieldProps) {
  const { label, advice, typed, max } = FORM_FIELDS[name];
  const isNumber = typed === 'number';
  const field = {
    label,
    description: advice,
    value: draft[name] ?? '',
    error: problems[name],
    'data-autofocus': isFirst,
    ...(isNumber ? { type: 'number', min: 1, max } : { maxLength: max }),
    onChange({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
      onChange({ [name]: isNumber ? (value === '' ? null : Number(value)) : value });
    },
  };
  if (typed === 'text') return <Textarea rows={2} {...field} />;
  const ofUrl = { type: 'url', inputMode: 'url', spellCheck: false, required: true } as const;
  return <TextInput {...(!isNumber && { autoComplete: 'off' })} {...(typed === 'url' && ofUrl)} {...field} />;
}

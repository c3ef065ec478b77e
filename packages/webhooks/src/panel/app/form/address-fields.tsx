import { TextInput } from '@mantine/core';
import { formTexts } from './form-texts.ts';
import type { WebhookFieldsProps } from './webhook-input.ts';

/** What a webhook is called, and where it leads. */
export function AddressFields({ draft, problems, onChange }: WebhookFieldsProps) {
  return (
    <>
      <TextInput
        label={formTexts.name}
        description={formTexts.nameAdvice}
        autoComplete="off"
        data-autofocus
        maxLength={80}
        value={draft.name}
        error={problems.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <TextInput
        label={formTexts.url}
        description={formTexts.urlAdvice}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={2_048}
        value={draft.url}
        error={problems.url}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
    </>
  );
}

import { Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookInput } from '../api/records.ts';
import { DialogButtons } from '../ui/confirm-dialog.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { AddressFields } from './address-fields.tsx';
import { EventPicker } from './event-picker.tsx';
import { formTexts } from './form-texts.ts';
import { SaveProblem } from './save-problem.tsx';
import { LeaveQuestion, RestoredNotice } from './unsaved-input.tsx';
import { useWebhookInput, type WebhookInputOptions } from './webhook-input.ts';

interface WebhookFormProps extends WebhookInputOptions {
  readonly title: string;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  /** Advice for a lost answer, if sending again is wrong. */
  readonly lostAnswerAdvice?: string;
  /** Content above the buttons; `change` replaces the input of some fields. */
  readonly children?: (change: (fields: Partial<WebhookInput>) => void) => ReactNode;
}

/** The form of a webhook. It shows problems beside their fields, and never loses input. */
export function WebhookForm(props: WebhookFormProps) {
  const { title, submitLabel, isBusy, onClose, lostAnswerAdvice, children, ...options } = props;
  const { draft, setDraft, problems, ...input } = useWebhookInput(options);
  const change = (fields: Partial<typeof draft>) => setDraft({ ...draft, ...fields });
  const [isLeaving, setLeaving] = useState(false);

  function leave(): void {
    input.forget();
    onClose();
  }

  return (
    <PanelDialog
      onClose={() => (input.isChanged ? setLeaving(true) : leave())}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      isDismissible={!isBusy}
    >
      <form ref={input.form} onSubmit={input.submit} noValidate>
        <Stack>
          {input.isRestored && input.isChanged && <RestoredNotice onDiscard={input.discard} />}
          <AddressFields draft={draft} problems={problems} onChange={change} />
          <Textarea
            label={formTexts.description}
            description={formTexts.descriptionAdvice}
            rows={2}
            maxLength={1_000}
            value={draft.description}
            error={problems.description}
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          />
          <EventPicker draft={draft} problems={problems} onChange={change} />
          <TextInput
            label={formTexts.maxPerMinute}
            description={formTexts.maxPerMinuteAdvice}
            type="number"
            min={1}
            max={60_000}
            value={draft.max_per_minute ?? ''}
            error={problems.max_per_minute}
            onChange={({ currentTarget: { value } }) =>
              change({ max_per_minute: value === '' ? null : Number(value) })
            }
          />
          <SaveProblem error={options.error} lostAnswerAdvice={lostAnswerAdvice} />
          {children?.(change)}
          {isLeaving ? (
            <LeaveQuestion onLeave={leave} onStay={() => setLeaving(false)} />
          ) : (
            <DialogButtons
              className="form-buttons"
              confirmLabel={submitLabel}
              isBusy={isBusy}
              onClose={leave}
            />
          )}
        </Stack>
      </form>
    </PanelDialog>
  );
}

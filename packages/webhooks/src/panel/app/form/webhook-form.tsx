import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookInput } from '../api/records.ts';
import { DialogButtons } from '../ui/confirm-dialog.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { EventPicker } from './event-picker.tsx';
import { FORM_FIELD_NAMES } from './form-fields.ts';
import { SaveProblem } from './save-problem.tsx';
import { SettingField } from './setting-field.tsx';
import { LeaveQuestion, RestoredNotice } from './unsaved-input.tsx';
import { useWebhookInput, type WebhookInputOptions } from './webhook-input.ts';

interface WebhookFormProps extends Omit<WebhookInputOptions, 'onSaved'> {
  readonly title: string;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  /** Advice for a lost answer, if sending again is wrong. */
  readonly lostAnswerAdvice?: string;
  /** Content above the buttons; `change` replaces the input of some fields. */
  readonly children?: (change: (fields: Partial<WebhookInput>) => void) => ReactNode;
}

/** The form of a webhook. It shows problems beside their fields. */
export function WebhookForm(props: WebhookFormProps) {
  const { title, submitLabel, isBusy, onClose, lostAnswerAdvice, children, ...options } = props;
  const { draft, setDraft, problems, ...input } = useWebhookInput({ ...options, onSaved: onClose });
  const change = (changed: Partial<typeof draft>) => setDraft({ ...draft, ...changed });
  const fields = { draft, problems, onChange: change };

  return (
    <PanelDialog
      onClose={() => input.leaveBy(onClose)}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      isDismissible={!isBusy}
    >
      <form ref={input.form} onSubmit={input.submit} noValidate>
        <Stack>
          {input.isRestored && <RestoredNotice />}
          {FORM_FIELD_NAMES.map((name, index) =>
            name === 'events' ? (
              <EventPicker key={name} {...fields} />
            ) : (
              <SettingField key={name} name={name} isFirst={index === 0} {...fields} />
            ),
          )}
          <SaveProblem error={options.error} lostAnswerAdvice={lostAnswerAdvice} />
          {children?.(change)}
          {input.question ? (
            <LeaveQuestion {...input.question} />
          ) : (
            <DialogButtons
              className="form-buttons"
              confirmLabel={submitLabel}
              isBusy={isBusy}
              onClose={onClose}
            />
          )}
        </Stack>
      </form>
    </PanelDialog>
  );
}

import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Webhook, WebhookInput } from '../api/records.ts';
import { EditConflict, useEditWebhook } from '../api/webhook-edit.ts';
import { useWebhook } from '../api/webhook-queries.ts';
import { fill } from '../texts/host-texts.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { Unread } from '../ui/problem-alert.tsx';
import { uiTexts } from '../ui/ui-texts.ts';
import { FORM_FIELDS } from './form-fields.ts';
import { formTexts } from './form-texts.ts';
import { WebhookForm } from './webhook-form.tsx';
import { draftOf } from './webhook-input.ts';

interface EditDialogProps {
  readonly webhookId: number;
  readonly onClose: () => void;
}

/** Edits what an administrator chooses of a webhook. */
export function EditDialog({ webhookId, onClose }: EditDialogProps) {
  const read = useWebhook(webhookId);
  if (read.data) return <EditForm webhook={read.data} onClose={onClose} />;
  return (
    <PanelDialog onClose={onClose} title={formTexts.editTitle} size="lg">
      <Unread read={read} problem={uiTexts.webhookNotLoaded}>
        <Skeleton height={320} aria-label={uiTexts.webhookLoading} />
      </Unread>
    </PanelDialog>
  );
}

function EditForm({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const announce = useAnnounce();
  // The initial values of the fields: the record is read again while the user types.
  const [initial] = useState(webhook);
  const edit = useEditWebhook(initial.id);
  const conflict = edit.error instanceof EditConflict ? edit.error : null;

  async function save(wanted: WebhookInput, base: WebhookInput): Promise<void> {
    await edit.mutateAsync({ base, wanted, overruled: conflict?.current.updated_at ?? null });
    announce(formTexts.saved);
  }

  return (
    <WebhookForm
      title={formTexts.editTitle}
      name={String(initial.id)}
      initial={draftOf(initial)}
      submitLabel={formTexts.save}
      error={conflict === null ? edit.error : null}
      isBusy={edit.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      {(change) =>
        conflict && (
          <ConflictAlert
            conflict={conflict}
            onTakeTheirs={(theirs) => {
              change(theirs);
              edit.reset();
            }}
          />
        )
      }
    </WebhookForm>
  );
}

interface ConflictAlertProps {
  readonly conflict: EditConflict;
  readonly onTakeTheirs: (theirs: Partial<WebhookInput>) => void;
}

function ConflictAlert({ conflict: { fields, current }, onTakeTheirs }: ConflictAlertProps) {
  const theirs = Object.fromEntries(fields.map((field) => [field, current[field]]));
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={formTexts.conflictTitle}>
      <Text size="sm">{formTexts.conflict}</Text>
      {fields.map((field) => {
        const value = current[field];
        const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
        return (
          <Text key={field} size="sm" className="long-text" lineClamp={3}>
            {text === ''
              ? fill(formTexts.conflictEmpty, { field: FORM_FIELDS[field].label })
              : fill(formTexts.conflictValue, { field: FORM_FIELDS[field].label, value: text })}
          </Text>
        );
      })}
      <Text size="sm">{formTexts.conflictAdvice}</Text>
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={() => onTakeTheirs(theirs)}>
          {formTexts.takeTheirs}
        </Button>
      </Group>
    </Alert>
  );
}

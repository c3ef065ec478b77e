import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Webhook, WebhookInput } from '../api/records.ts';
import { useEditWebhook } from '../api/webhook-actions.ts';
import { EditConflict } from '../api/webhook-edit.ts';
import { useWebhook } from '../api/webhook-queries.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { WebhookForm } from './webhook-form.tsx';

interface EditDialogProps {
  readonly webhookId: number;
  readonly onClose: () => void;
}

/** Edits the URL, the description and the events of a webhook. */
export function EditDialog({ webhookId, onClose }: EditDialogProps) {
  const { data: webhook, error, refetch } = useWebhook(webhookId);
  if (webhook) return <EditForm webhook={webhook} onClose={onClose} />;
  return (
    <PanelDialog onClose={onClose} title={TITLE} size="lg">
      {error ? (
        <ProblemAlert title="The webhook could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} aria-label="The webhook is loading" />
      )}
    </PanelDialog>
  );
}

const TITLE = 'Edit webhook';

function EditForm({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const announce = useAnnounce();
  // The initial values of the fields: the record is read again while the user types.
  const [initial] = useState(webhook);
  const edit = useEditWebhook(initial.id);
  const conflict = edit.error instanceof EditConflict ? edit.error : null;

  async function save(wanted: WebhookInput, base: WebhookInput): Promise<void> {
    await edit.mutateAsync({ base, wanted, overruled: conflict?.current.updated_at ?? null });
    announce({ kind: 'good', text: 'Saved. It applies from the next event and the next attempt on.' });
    onClose();
  }

  return (
    <WebhookForm
      title={TITLE}
      name={String(initial.id)}
      initial={{ url: initial.url, description: initial.description, events: initial.events, pattern: '' }}
      submitLabel="Save"
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
    <Alert color="yellow" icon={<IconAlertTriangle />} title="Somebody else changed this meanwhile">
      <Text size="sm">Your changes are not saved yet. The current values are:</Text>
      {fields.map((field) => {
        const value = current[field];
        const text = typeof value === 'string' ? value : value.join(', ');
        return (
          <Text key={field} size="sm" className="long-text" lineClamp={3}>
            {FIELD_LABELS[field]}: {text === '' ? '(empty)' : text}
          </Text>
        );
      })}
      <Text size="sm">Save again to overwrite them, or take theirs: your other input stays.</Text>
      <Group mt="sm" className="alert-ways">
        <Button size="xs" variant="default" onClick={() => onTakeTheirs(theirs)}>
          Take theirs
        </Button>
      </Group>
    </Alert>
  );
}

const FIELD_LABELS = { url: 'URL', description: 'Description', events: 'Events' } as const;

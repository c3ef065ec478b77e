import type { Webhook } from '../api/records.ts';
import { useUpdateWebhook } from '../api/webhook-actions.ts';
import { useAnnounce } from '../ui/announcements.tsx';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';

interface EditDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Changes where a webhook goes and what it gets. */
export function EditDialog({ webhook, onClose }: EditDialogProps) {
  const announce = useAnnounce();
  const update = useUpdateWebhook(webhook.id);
  const { id, url, description, events, updated_at: updatedAt } = webhook;
  return (
    <PanelDialog onClose={onClose} title="Edit webhook" size="lg" closeOnClickOutside={false}>
      <WebhookForm
        // What was entered before somebody else changed the webhook is not brought back over that change.
        name={`${id}:${updatedAt}`}
        initial={{ url, description, events }}
        submitLabel="Save"
        error={update.error}
        isBusy={update.isPending}
        onSubmit={async (draft) => {
          await update.mutateAsync(draft);
          announce({ kind: 'good', text: 'Saved. It holds from the next event and the next attempt on.' });
          onClose();
        }}
        onCancel={onClose}
      />
    </PanelDialog>
  );
}

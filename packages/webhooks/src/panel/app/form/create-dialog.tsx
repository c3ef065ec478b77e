import type { WebhookWithSecret } from '../api/records.ts';
import { useCreateWebhook } from '../api/webhook-actions.ts';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';

interface CreateDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (webhook: WebhookWithSecret) => void;
}

const EMPTY = { url: '', description: '', events: ['*'] };

/** Registers a webhook. */
export function CreateDialog({ onClose, onCreated }: CreateDialogProps) {
  const create = useCreateWebhook();
  return (
    <PanelDialog onClose={onClose} title="Add webhook" size="lg" closeOnClickOutside={false}>
      <WebhookForm
        name="new"
        initial={EMPTY}
        submitLabel="Add webhook"
        error={create.error}
        isBusy={create.isPending}
        onSubmit={async (draft) => onCreated(await create.mutateAsync(draft))}
        onCancel={onClose}
      />
    </PanelDialog>
  );
}

import type { WebhookInput } from '../api/records.ts';
import { useCreateWebhook } from '../api/webhook-actions.ts';
import { PanelDialog } from '../ui/panel-dialog.tsx';
import { type NewSecret, useKeepSecret } from './kept-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

interface CreateDialogProps {
  readonly onClose: () => void;
}

const EMPTY = { url: '', description: '', events: ['*'] };

/** Registers a webhook. */
export function CreateDialog({ onClose }: CreateDialogProps) {
  const create = useCreateWebhook();
  const keepSecret = useKeepSecret();
  async function submit(draft: WebhookInput): Promise<NewSecret> {
    const { id, url, secret } = await create.mutateAsync(draft, { onSuccess: onClose });
    return { title: 'The webhook is registered', url, secret, next: `/${id}` };
  }
  return (
    <PanelDialog
      onClose={onClose}
      title="Add webhook"
      size="lg"
      closeOnClickOutside={false}
      isHeldOpen={create.isPending}
    >
      <WebhookForm
        name="new"
        initial={EMPTY}
        submitLabel="Add webhook"
        error={create.error}
        isBusy={create.isPending}
        onSubmit={(draft) => keepSecret(submit(draft))}
        onCancel={onClose}
      />
    </PanelDialog>
  );
}

import type { WebhookInput } from '../api/records.ts';
import { useCreateWebhook } from '../api/webhook-actions.ts';
import { formTexts } from './form-texts.ts';
import { useKeepSecret } from './kept-secret.tsx';
import type { NewSecret } from './new-secret.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';

interface CreateDialogProps {
  readonly onClose: () => void;
}

const EMPTY = { url: '', name: '', description: '', events: ['*'], max_per_minute: null, pattern: '' };

/** Registers a webhook. */
export function CreateDialog({ onClose }: CreateDialogProps) {
  const create = useCreateWebhook();
  const keepSecret = useKeepSecret();
  async function submit(input: WebhookInput): Promise<NewSecret> {
    const { id, url, secret } = await create.mutateAsync(input, { onSuccess: onClose });
    return { title: formTexts.registered, url, secret, next: `/${id}` };
  }
  return (
    <WebhookForm
      title={formTexts.addTitle}
      name="new"
      initial={EMPTY}
      submitLabel={formTexts.add}
      error={create.error}
      isBusy={create.isPending}
      onSubmit={(input) => keepSecret(submit(input), SecretDialog)}
      onClose={onClose}
      lostAnswerAdvice={formTexts.maybeAddedAdvice}
    />
  );
}

import type { WebhookInput } from '../api/records.ts';
import { useCreateWebhook } from '../api/webhook-actions.ts';
import { formTexts } from './form-texts.ts';
import { type NewSecret, useKeepSecret } from './kept-secret.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { EMPTY_DRAFT } from './webhook-input.ts';

/** Registers a webhook. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateWebhook();
  const keepSecret = useKeepSecret();
  async function submit(input: WebhookInput): Promise<NewSecret> {
    const webhook = await create.mutateAsync(input, { onSuccess: onClose });
    const { id, url, secret } = webhook;
    return { title: formTexts.registered, url, secret, webhook, next: `/${id}` };
  }
  return (
    <WebhookForm
      title={formTexts.addTitle}
      name="new"
      initial={EMPTY_DRAFT}
      submitLabel={formTexts.add}
      error={create.error}
      isBusy={create.isPending}
      onSubmit={(input) => keepSecret(submit(input), SecretDialog)}
      onClose={onClose}
      lostAnswerAdvice={formTexts.maybeAddedAdvice}
    />
  );
}

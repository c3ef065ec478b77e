import type { WebhookInput } from '../api/records.ts';
import { useCreateWebhook } from '../api/webhook-actions.ts';
import { formTexts } from './form-texts.ts';
import { useShowSecret } from './kept-secret.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { EMPTY_DRAFT } from './webhook-input.ts';

/** Registers a webhook. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useCreateWebhook();
  const showSecret = useShowSecret();
  const submit = (input: WebhookInput) =>
    showSecret(async () => {
      const webhook = await create.mutateAsync(input);
      const { id, url, secret } = webhook;
      return { title: formTexts.registered, url, secret, webhook, next: `/${id}` };
    }, SecretDialog);
  return (
    <WebhookForm
      title={formTexts.addTitle}
      name="new"
      initial={EMPTY_DRAFT}
      submitLabel={formTexts.add}
      error={create.error}
      isBusy={create.isPending}
      onSubmit={submit}
      onClose={onClose}
      lostAnswerAdvice={formTexts.maybeAddedAdvice}
    />
  );
}

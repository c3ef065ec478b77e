import { List, Text } from '@mantine/core';
import { useState } from 'react';
import type { Webhook } from '../api/records.ts';
import { useRotateSecret } from '../api/webhook-actions.ts';
import { useKeepSecret } from '../form/kept-secret.tsx';
import { SecretDialog } from '../form/secret-dialog.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { webhookDialogTexts } from './webhook-texts.ts';

interface RotateDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** Creates a new secret. Requests are also signed with the old one for a day. */
export function RotateDialog({ webhook, onClose }: RotateDialogProps) {
  // As it was when the question was asked, whatever another user has changed since.
  const [asked] = useState(webhook);
  const rotate = useRotateSecret(asked);
  const keepSecret = useKeepSecret();
  function confirm(): void {
    const answer = rotate.mutateAsync(undefined, { onSuccess: onClose });
    // The dialog shows `rotate.error`.
    keepSecret(
      answer.then(({ url, secret }) => ({
        title: webhookDialogTexts.rotated,
        url,
        secret,
        note: webhookDialogTexts.rotatedAdvice,
      })),
      SecretDialog,
    ).catch(() => undefined);
  }
  return (
    <ConfirmDialog
      title={webhookDialogTexts.rotateQuestion}
      confirmLabel={webhookDialogTexts.rotateConfirm}
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">{webhookDialogTexts.rotateReason}</Text>
      <List size="sm" type="ordered">
        <List.Item>{webhookDialogTexts.rotateStep1}</List.Item>
        <List.Item>{webhookDialogTexts.rotateStep2}</List.Item>
        <List.Item>{webhookDialogTexts.rotateStep3}</List.Item>
      </List>
    </ConfirmDialog>
  );
}
